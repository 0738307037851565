import type { Finding } from './finding.js';

/**
 * Whether an open finding replaces one that is not seen any more. It has a node or zone in common,
 * or the whole cluster is broken by the same protocols.
 */
export function isReplaced(gone: Finding, open: readonly Finding[]): boolean {
  const subjects = new Set(subjectsOf(gone));
  return (
    isCovered(gone, open) ||
    open.some((finding) => subjectsOf(finding).some((subject) => subjects.has(subject)))
  );
}

/**
 * Whether an open finding says that the whole cluster is broken by all protocols of a finding that
 * is not seen any more.
 */
export function isCovered(gone: Finding, open: readonly Finding[]): boolean {
  return open.some(
    (finding) =>
      finding.severity === 'broken' &&
      subjectsOf(finding).length === 0 &&
      gone.protocols.every((protocol) => finding.protocols.includes(protocol)),
  );
}

function subjectsOf({ node, pair, zones }: Finding): readonly string[] {
  return [
    ...(node === undefined ? [] : [`node ${node}`]),
    ...(pair ?? []).map((name) => `node ${name}`),
    ...(zones ?? []).map((name) => `zone ${name}`),
  ];
}
