import { plainText } from '../model/plain-text.js';

/** What the agent said instead of an answer. */
export function Refusal({ words }: { readonly words: string }) {
  return (
    <p class="refusal" role="alert">
      The agent refused: {plainText(words)}
    </p>
  );
}
