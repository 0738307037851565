import type { Finding } from './finding.js';

/** The zone of a node by its name; undefined if it has none. */
export type ZoneOf = (name: string) => string | undefined;

/**
 * Whether an open finding replaces one that is not seen any more. It has a node or zone in common,
 * or it covers that one.
 */
export function isReplaced(gone: Finding, open: readonly Finding[], zoneOf: ZoneOf): boolean {
  const subjects = new Set(subjectsOf(gone));
  return (
    isCovered(gone, open, zoneOf) ||
    open.some(
      (finding) =>
        mayReplace(finding, gone) && subjectsOf(finding).some((subject) => subjects.has(subject)),
    )
  );
}

/**
 * Whether an open finding says that the whole cluster, or the zone of a node, is broken by all
 * protocols of a finding that is not seen any more.
 */
export function isCovered(gone: Finding, open: readonly Finding[], zoneOf: ZoneOf): boolean {
  const zones = new Set(nodesOf(gone).map(zoneOf));
  return open.some(
    (finding) =>
      finding.severity === 'broken' &&
      mayReplace(finding, gone) &&
      gone.protocols.every((protocol) => finding.protocols.includes(protocol)) &&
      (subjectsOf(finding).length === 0 || (finding.zones ?? []).some((zone) => zones.has(zone))),
  );
}

/** What is said of paths may be why a target fails, and not the reverse. */
function mayReplace({ target }: Finding, gone: Finding): boolean {
  return target === undefined || target === gone.target;
}

/** Whether two findings are about the same node, pair or zones. */
export function haveSameSubject(a: Finding, b: Finding): boolean {
  const [first, second] = [a, b].map((finding) => subjectsOf(finding).sort().join(' '));
  return first !== '' && first === second;
}

/** The nodes and zones that a finding is about, as distinct keys. */
export function subjectsOf(finding: Finding): string[] {
  return [
    ...nodesOf(finding).map((name) => `node ${name}`),
    ...(finding.zones ?? []).map((name) => `zone ${name}`),
  ];
}

function nodesOf({ node, pair }: Finding): string[] {
  return [...(node === undefined ? [] : [node]), ...(pair ?? [])];
}
