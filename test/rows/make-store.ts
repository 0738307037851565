import type { Node } from '../../agent/model/node.js';
import type { Path } from '../../agent/model/path.js';
import { timeout } from '../../agent/model/sample.js';
import { ResultStore, type ResultStoreOptions } from '../../agent/results/result-store.js';

const once = { failures: 1, recovery: 1 };

type Options = Partial<ResultStoreOptions> & { readonly each?: typeof once };

/** A store of results. By both protocols one failure and one answer are enough, if nothing else is said. */
export function makeStore({ each = once, ...options }: Options = {}): ResultStore {
  return new ResultStore({ thresholds: { icmp: each, http: each }, ...options });
}

/** Lists these nodes, and gives the paths that come with them: at least one. */
export function listIn(store: ResultStore, ...nodes: readonly Node[]): [Path, ...Path[]] {
  const [first, ...others] = store.setNodes(nodes).added;
  if (!first) throw new Error('no path was added');
  return [first, ...others];
}

/** The answer to a probe. */
export const answered = { outcome: 'reply', sentMs: 1, at: 1, rttNs: 1e6 } as const;

/** A probe that got no answer in time. */
export const lost = { ...timeout, sentMs: 1, at: 1 } as const;
