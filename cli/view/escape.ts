const printableAscii = /^[\x20-\x7e]*$/;

/**
 * Makes a name or text safe for a terminal. Control characters, and characters that reorder or hide
 * text, print as `\x1b` or `\u202e`.
 */
export function escapeText(text: string): string {
  // Nearly all of the thousands of names that are printed take this fast path.
  if (printableAscii.test(text)) return text;
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
    return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
  });
}
