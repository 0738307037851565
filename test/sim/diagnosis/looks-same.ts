import { channels } from '../../../agent/model/channel.js';
import { History, type AgedTrouble } from './history.js';
import type { Scenario } from './scenarios/scenario.js';

/** What the agent of a node can see of the faults that were made. */
export type Seen = Pick<Scenario, 'made' | 'conditions' | 'layout' | 'view'> & {
  /** Nodes that stand for all: each other one sees and is seen as one of them. Missing: all do. */
  readonly standsForAll?: readonly number[];
};

/**
 * Whether other troubles would show the local agent exactly what it sees now, leaving out noise: the
 * same rows, each with the same paths that fail, lose or are slow, for the same reason and as long,
 * and the same peers whose GETs arrive.
 */
export function looksSame(seen: Seen, troubles: readonly AgedTrouble[]): boolean {
  const { conditions, layout } = seen;
  const nodes: readonly number[] = seen.standsForAll ?? [...layout.names.keys()];
  const { local, isSilent, isStale } = conditions;
  const [truth, other] = [new History(conditions.troubles), new History(troubles)];
  for (const node of nodes) {
    const row = rowSinceS(truth, local, node);
    if (row !== rowSinceS(other, local, node)) return false;
    if (node !== local && truth.mutedS(node, local) !== other.mutedS(node, local)) return false;
    const hasRow = row === undefined && !isSilent(node) && !isStale(node);
    if ((node === local || hasRow) && !isSameRow(nodes, node, truth, other)) {
      return false;
    }
  }
  return true;
}

function isSameRow(
  targets: readonly number[],
  observer: number,
  truth: History,
  other: History,
): boolean {
  for (const target of targets) {
    if (target === observer) continue;
    let isTold = false;
    for (const channel of channels) {
      const path = { from: observer, to: target, ...channel };
      const seen = stateOf(truth, path);
      if (seen !== stateOf(other, path)) return false;
      isTold ||= seen !== '';
    }
    // A row names the nodes whose GETs arrive only where it tells of them.
    if (!isTold) continue;
    const isHeard = (history: History) => history.mutedS(target, observer) === undefined;
    if (isHeard(truth) !== isHeard(other)) return false;
  }
  return true;
}

function stateOf(history: History, path: Parameters<History['failure']>[0]): string {
  const failure = history.failure(path);
  if (failure) return `${failure.kind} ${failure.sinceS}`;
  const slowS = history.slowSinceS(path);
  if (slowS !== undefined) return `slow ${slowS}`;
  return history
    .losses(path)
    .map(({ share, flows, sinceS }) => `${share} ${flows} ${sinceS}`)
    .join(' ');
}

/** For how many seconds no row of a node has come; undefined if they come. */
function rowSinceS(history: History, local: number, node: number): number | undefined {
  if (node === local) return undefined;
  return history.failure({ from: local, to: node, plane: 'host', protocol: 'http' })?.sinceS;
}
