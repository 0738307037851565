import { familyOf } from '../../model/address.js';
import type { Plan } from '../../model/plan.js';
import { planes } from '../../model/path.js';
import { protocols } from '../../model/sample.js';
import type { ResultStore } from '../../results/result-store.js';
import type { PathCountsByPlane } from '../../results/snapshot.js';
import { isActive, type ClusterState } from './cluster-state.js';
import { whySecondAddresses } from './second-addresses.js';

/** What the verdict needs of this agent's own paths. */
export interface OwnPaths {
  readonly plan: Plan;
  readonly counts: PathCountsByPlane;
  /** How many primary paths to other active nodes fail. The diagnosis may not have looked at them yet. */
  readonly failing: () => number;
  /** Says which second addresses do not answer; undefined if all do. */
  readonly whySecondAddresses: () => (() => string) | undefined;
}

/** The own paths as the snapshot has them. */
export function ownPathsOf(state: ClusterState): OwnPaths {
  return {
    get plan() {
      return state.snapshot.plan;
    },
    get counts() {
      return state.snapshot.counts;
    },
    failing: () => ownFailing(state),
    whySecondAddresses() {
      const why = whySecondAddresses(state);
      return why === undefined ? undefined : () => why;
    },
  };
}

/**
 * The own paths without what a snapshot costs.
 * @param counted what one pass over the primary paths has counted
 */
export function ownPathsIn(
  store: Pick<ResultStore, 'plan' | 'paths'>,
  state: ClusterState,
  { counts, failing }: { readonly counts: PathCountsByPlane; readonly failing: number },
): OwnPaths {
  return {
    plan: store.plan,
    counts,
    failing: () => failing,
    whySecondAddresses: () =>
      failsAtSecondAddress(store, state) ? () => whySecondAddresses(state) ?? '' : undefined,
  };
}

function ownFailing({ snapshot, localName }: ClusterState): number {
  let failing = 0;
  for (const view of snapshot.nodes) {
    if (view.name === localName || !isActive(view)) continue;
    for (const plane of planes) {
      for (const protocol of protocols) {
        if (view[plane][0]?.[protocol].state.state === 'unreachable') failing++;
      }
    }
  }
  return failing;
}

/** The rule of `whySecondAddresses`. */
function failsAtSecondAddress(
  store: Pick<ResultStore, 'paths'>,
  { localName, everyAddressIsMeant }: ClusterState,
): boolean {
  let fails = false;
  const steps = store.paths.visitFurtherPathsInSteps(({ node, ip }, primaryIp, _, { state }) => {
    if (state !== 'unreachable' || node === localName) return;
    fails ||= everyAddressIsMeant || familyOf(ip) !== familyOf(primaryIp);
  });
  while (!steps.next().done);
  return fails;
}
