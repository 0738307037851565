const longest = 60;

/**
 * A value as it may stand in a message: text in quotes with control characters escaped, anything
 * else by its kind or JSON, always short. What a user or a file sent is never printed as it came.
 */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'a mapping';
  // JSON has no word for NaN and Infinity, which YAML does.
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return JSON.stringify(value);
  const cut =
    value.length > longest ? `${value.slice(0, longest)}… (${value.length} characters)` : value;
  return `"${cut.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"\\]/gu, escape)}"`;
}

/**
 * A text from elsewhere for use in a message or log line: without control characters, and short.
 */
export function escapeControls(text: string, maxLength = 500): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escape);
}

function escape(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}
