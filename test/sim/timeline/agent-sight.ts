import { clusterKinds } from '../../faults/group-kinds.js';
import { channels } from '../../../agent/model/channel.js';
import { planes } from '../../../agent/model/path.js';
import type { Fault, View } from '../../faults/fault.js';
import { isTargetFault, type TargetFault } from '../../faults/target-kinds.js';
import type { Seen } from '../diagnosis/looks-same.js';
import { agentState, lossOf, probe } from '../../faults/trouble.js';
import { History } from '../diagnosis/history.js';
import type { PlannedFault, RoundPlan } from './round-plan.js';
import type { WatchedCluster } from './watched-cluster.js';
import { isCutOff } from '../lib/target-network.js';

/** What one agent can know while certain faults last. */
export interface Sight {
  /** It gets the rows of at least half of the other agents that run. */
  readonly canKnow: boolean;
  /** The faults that make some path fail of which it can learn, and that no other explains. */
  readonly visible: readonly Fault[];
  /** Only one row tells of one of those of paths, so it takes longer to be told from a wrong report. */
  readonly hasLoneWitness: boolean;
  readonly view: View;
  /** With it, a direction that a finding leaves out is no error: it claims nothing. */
  readonly lenientView: View;
  readonly seen: Seen;
}

/** Whether the agent of a node runs and gets the rows of at least half of the other agents that run. */
export function canKnow(
  cluster: WatchedCluster,
  node: number,
  lasting: readonly PlannedFault[],
): boolean {
  return whoTells(cluster, node, lasting).canKnow;
}

/** The agents whose rows the agent of a node gets, and whether these are enough. */
function whoTells({ agents }: WatchedCluster, node: number, lasting: readonly PlannedFault[]) {
  const all = lasting.map(({ fault }) => fault.trouble);
  const runs = (peer: number) =>
    agents[peer] !== undefined && all.every((trouble) => agentState(trouble, peer) === 'runs');
  const others = [...agents.keys()].filter((peer) => peer !== node && runs(peer));
  const telling = others.filter((peer) => probe(all, node, peer, 'host', 'http') === undefined);
  return { telling, canKnow: runs(node) && telling.length * 2 >= others.length };
}

/** What the agent of a node can know at a time. */
export function sightOf(
  { layout, targetHosts = new Map() }: RoundPlan,
  cluster: WatchedCluster,
  node: number,
  lasting: readonly PlannedFault[],
): Sight {
  const { names, zoneOf, zones } = layout;
  const nowMs = cluster.nowMs();
  const made = lasting.map(({ fault }) => fault);
  const all = made.map(({ trouble }) => trouble);
  const told = whoTells(cluster, node, lasting);
  const observers = [node, ...told.telling];
  const tell = new Set(observers.map((peer) => names[peer]));
  const view: View = {
    localName: names[node] ?? '',
    hasRow: (name) => name !== undefined && tell.has(name),
    failEchoesAnyway: made.some(({ what }) => what === clusterKinds.icmp.what),
  };
  const witnessed = made.map((fault) => ({
    fault,
    witnesses: isTargetFault(fault)
      ? targetWitnesses(fault, made, observers, targetHosts).length
      : countWitnesses(fault, all, observers, names.length),
  }));
  return {
    canKnow: told.canKnow,
    visible: witnessed.filter(({ witnesses }) => witnesses > 0).map(({ fault }) => fault),
    hasLoneWitness: witnessed.some(
      ({ fault, witnesses }) => witnesses === 1 && !isTargetFault(fault),
    ),
    view,
    lenientView: { ...view, hasRow: () => false, isLenient: true },
    seen: {
      ...(cluster.standsForAll && { standsForAll: [...cluster.standsForAll, node] }),
      made,
      layout,
      view,
      conditions: {
        names,
        zones: names.map((_, at) => (zones.length > 1 ? zones[zoneOf[at] ?? 0] : undefined)),
        local: node,
        troubles: lasting.map(({ fault, beginMs }) => ({
          trouble: fault.trouble,
          ageS: (nowMs - beginMs) / 1000,
        })),
        wrongShare: 0,
        strayLoss: 0,
        straySlow: 0,
        isSilent: (peer) =>
          cluster.agents[peer] === undefined &&
          all.every((one) => agentState(one, peer) === 'runs'),
        isStale: () => false,
      },
    },
  };
}

/** The observers that do not reach a target because of a fault that no fault of paths explains. */
function targetWitnesses(
  { targetTrouble: { target, isHit } }: TargetFault,
  made: readonly Fault[],
  observers: readonly number[],
  hosts: ReadonlyMap<string, readonly number[]>,
): readonly number[] {
  const paths = made.filter((fault) => !isTargetFault(fault));
  const troubles = paths.map(({ trouble }) => trouble);
  const isOverlayBroken = paths.some(({ what }) => what.startsWith('overlay'));
  if (isOverlayBroken && target === 'service') return [];
  return observers.filter((node) =>
    planes.some(
      (plane) =>
        isHit(node, plane) &&
        !isCutOff(troubles, hosts, { node, plane, target }) &&
        !(isOverlayBroken && plane === 'endpoint'),
    ),
  );
}

/** How many observers, up to two, see a path fail or lose packets because of a fault that no other one explains. */
function countWitnesses(
  { trouble }: Fault,
  all: readonly Fault['trouble'][],
  observers: readonly number[],
  size: number,
): number {
  const [alone, others] = [[trouble], all.filter((one) => one !== trouble)];
  const history = new History([{ trouble, ageS: 0 }]);
  const sees = (from: number) => {
    for (const to of history.touchedBy(from) ?? Array.from({ length: size }).keys()) {
      if (to === from || !trouble.touches(from, to)) continue;
      for (const { plane, protocol } of channels) {
        if (probe(others, from, to, plane, protocol) !== undefined) continue;
        if (probe(alone, from, to, plane, protocol) !== undefined) return true;
        if (lossOf(alone, from, to, plane) > 0 && lossOf(others, from, to, plane) === 0)
          return true;
      }
    }
    return false;
  };
  let witnesses = 0;
  for (const observer of observers) if (sees(observer) && ++witnesses === 2) break;
  return witnesses;
}
