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

/**
 * Leaves out a cluster before the names in a text. A name stands at the beginning of the text, or
 * after a space, a bracket or a comma.
 */
export function withoutCluster(text: string, cluster: string | undefined): string {
  if (cluster === undefined || cluster === '') return text;
  const prefix = `${cluster}/`;
  let [short, from] = ['', 0];
  for (;;) {
    const at = text.indexOf(prefix, from);
    if (at < 0) return short + text.slice(from);
    const isName = at === 0 || ' (,'.includes(text.charAt(at - 1));
    short += text.slice(from, at) + (isName ? '' : prefix);
    from = at + prefix.length;
  }
}
