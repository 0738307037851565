/**
 * Control characters, invisible characters, and characters that change the direction of the text.
 */
// eslint-disable-next-line no-control-regex -- these are the ones that are looked for
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * Makes a name from the network safe to show among other text. Invisible characters are spelled
 * out.
 */
export function plainText(text: string): string {
  return text.replace(
    unsafe,
    (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/** Removes the cluster and its slash from the names if all names share one cluster. */
export function shortNames(names: readonly string[]): readonly string[] {
  const cluster = names[0]?.split('/', 1)[0] ?? '';
  const prefix = `${cluster}/`;
  const isShared = names.every((name) => name.startsWith(prefix));
  return names.map((name) => plainText(isShared ? name.slice(prefix.length) : name));
}
