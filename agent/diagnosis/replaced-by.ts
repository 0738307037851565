import type { Finding } from './finding.js';

/**
 * Whether an open finding takes the place of one that is not seen any more: it is about one of the
 * same nodes or zones, or about the whole cluster by the same protocols.
 */
export function isReplaced(gone: Finding, open: readonly Finding[]): boolean {
  const subjects = new Set(subjectsOf(gone));
  return open.some((finding) => {
    const others = subjectsOf(finding);
    return others.length > 0
      ? others.some((subject) => subjects.has(subject))
      : gone.protocols.every((protocol) => finding.protocols.includes(protocol));
  });
}

function subjectsOf({ node, pair, zones }: Finding): readonly string[] {
  return [
    ...(node === undefined ? [] : [`node ${node}`]),
    ...(pair ?? []).map((name) => `node ${name}`),
    ...(zones ?? []).map((name) => `zone ${name}`),
  ];
}
