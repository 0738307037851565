import type { Plane } from '../../model/path.js';
import type { ClusterState } from './cluster-state.js';
import { isRecent, visitLooks } from './target-looks.js';
import { tallyKey } from './target-tally.js';
import { whyTargetUnknown } from './targets-body.js';
import { shownPlanes } from './shown-planes.js';

/** A target of which no node knows from one of its planes. */
export interface UnknownTarget {
  readonly target: string;
  readonly plane: Plane;
  /** Why this agent does not. */
  readonly why: string | undefined;
}

/**
 * The targets of which no node knows lately whether they are reached, by plane. The rows are read until all are known: mostly
 * this agent has looked itself.
 */
export function unknownTargets(
  state: Pick<ClusterState, 'nodes' | 'rows' | 'targets'>,
): readonly UnknownTarget[] {
  const unknown = new Map<string, UnknownTarget>();
  for (const { target, planes } of state.targets) {
    for (const plane of shownPlanes(target, state.nodes)) {
      const own = planes.find((one) => one.plane === plane);
      if (own && own.unknownBecause === undefined && own.state.state !== 'unknown') continue;
      const one = { target: target.name, plane, why: whyTargetUnknown(own) };
      unknown.set(tallyKey(target.name, plane), one);
    }
  }
  if (unknown.size === 0) return [];
  const looks = visitLooks(state, (look, { row }) => {
    if (isRecent(look, row)) unknown.delete(tallyKey(look.said.target, look.plane));
  });
  while (unknown.size > 0 && looks.next().done !== true);
  return [...unknown.values()];
}
