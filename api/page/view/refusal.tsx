import { plainText } from '../model/plain-text.js';

/** Why what is asked for is not there, or old. */
export function Refusal({ words }: { readonly words: string }) {
  return (
    <p class="refusal" role="alert">
      {plainText(words)}
    </p>
  );
}
