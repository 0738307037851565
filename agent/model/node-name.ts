const part = '[A-Za-z0-9_.-]{1,253}';

/** The name of a node or of a cluster. */
export const namePattern = new RegExp(`^${part}$`);

/** The name of a node, with or without `cluster/`. */
export const fullNamePattern = new RegExp(`^(?:${part}/)?${part}$`);

/** What a node's or a cluster's name may be made of, for messages. */
export const nameForm = '1 to 253 letters, digits, - _ .';

/** Whether a text can be the name of a node or of a cluster. */
export function isName(text: string): boolean {
  return namePattern.test(text);
}

/** Whether a text can be the name of a node, with or without `cluster/`. */
export function isNodeName(text: string): boolean {
  return fullNamePattern.test(text);
}

/** The full name of a node that somebody names: without a cluster it is in that of the agent. */
export function fullNameOf(name: string, clusterName: string): string {
  return name.includes('/') ? name : `${clusterName}/${name}`;
}

/** Whether two names are of the same node: an endpoint may not know the name of its cluster. */
export function isSameNode(a: string, b: string): boolean {
  if (a.includes('/') && b.includes('/')) return a === b;
  return a.slice(a.indexOf('/') + 1) === b.slice(b.indexOf('/') + 1);
}
