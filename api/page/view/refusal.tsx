import { plainText } from '../model/plain-text.js';

/** The agent's message if it refused the request. */
export function Refusal({ words }: { readonly words: string }) {
  return (
    <p class="refusal" role="alert">
      The agent refused: {plainText(words)}
    </p>
  );
}
