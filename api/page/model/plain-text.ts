/** Control characters, and those that turn the direction of the text around them. */
// eslint-disable-next-line no-control-regex -- these are the ones that are looked for
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A name from the network as it can be shown among other text: what cannot be seen is spelled out. */
export function plainText(text: string): string {
  return text.replace(
    unsafe,
    (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/** The names without the cluster before the slash, where all share one. */
export function shortNames(names: readonly string[]): readonly string[] {
  const cluster = names[0]?.split('/', 1)[0] ?? '';
  const prefix = `${cluster}/`;
  const isShared = names.every((name) => name.startsWith(prefix));
  return names.map((name) => plainText(isShared ? name.slice(prefix.length) : name));
}
