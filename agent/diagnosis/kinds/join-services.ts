import { serviceTarget, targetsOfServices } from '../nouns/diagnosis-target.js';
import type { TargetCandidate } from './build-target-finding.js';

/** So many looks stand beside the finding that joins those of several services. */
const mostLooks = 10;

/**
 * Makes one finding of those that say that one node does not reach several Services, the service target among them: that one
 * fails for no other reason than the routing of services there. It keeps its id, so that it is the same finding when more fail.
 * @param namespace that of the agents in Kubernetes; elsewhere these names say nothing
 */
export function joinServices(
  candidates: readonly TargetCandidate[],
  namespace: string | undefined,
): readonly TargetCandidate[] {
  if (namespace === undefined) return candidates;
  const byNode = new Map<string, TargetCandidate>();
  for (const one of candidates) {
    const { node, target } = one.finding;
    if (target === serviceTarget && isJoined(one) && node !== undefined) byNode.set(node, one);
  }
  if (byNode.size === 0) return candidates;
  const parts = new Map<TargetCandidate, TargetCandidate[]>();
  for (const one of candidates) {
    const service = byNode.get(one.finding.node ?? '');
    if (!service || service === one || !isJoined(one)) continue;
    if (!targetsOfServices.includes(one.sight.target)) continue;
    if ((one.sight.failingPlanes & ~service.sight.failingPlanes) !== 0) continue;
    parts.set(service, [...(parts.get(service) ?? []), one]);
  }
  const joined = new Set([...parts.values()].flat());
  return candidates
    .filter((one) => !joined.has(one))
    .map((one) => {
      const more = parts.get(one);
      return more ? join(one, more) : one;
    });
}

function isJoined({ sight: { trouble, server } }: TargetCandidate): boolean {
  return trouble === 'broken' && server === undefined;
}

function join(service: TargetCandidate, parts: readonly TargetCandidate[]): TargetCandidate {
  const sorted = [...parts].sort((a, b) => orderOf(a) - orderOf(b));
  const all = [service, ...sorted];
  const also = sorted.map(({ sight }) => sight.target);
  const earliest = all.reduce((first, one) => (one.sinceMs < first.sinceMs ? one : first));
  const sight = { ...service.sight, also };
  return {
    ...service,
    sight,
    finding: {
      ...service.finding,
      targets: [service.sight.target, ...also],
      since: earliest.finding.since,
      explains: all.reduce((sum, { finding }) => sum + finding.explains, 0),
      text: service.kind.text(sight),
      looks: all
        .flatMap(({ finding: { looks = [] }, sight: { target } }) =>
          looks.map((look) => (target === service.sight.target ? look : { ...look, target })),
        )
        .slice(0, mostLooks),
    },
    sinceMs: earliest.sinceMs,
    lookedMs: Math.max(...all.map(({ lookedMs = 0 }) => lookedMs)),
    causes: all.flatMap(({ causes }) => causes),
    joined: sorted,
  };
}

function orderOf({ sight }: TargetCandidate): number {
  return targetsOfServices.indexOf(sight.target);
}
