import type { Random } from '../../fuzz/random.js';
import { randomFault, type Fault, type FaultKind, type Layout } from '../../faults/fault.js';
import { allLosePackets, zoneKinds } from '../../faults/group-kinds.js';
import { brokenKinds, lossKinds } from '../../faults/kinds.js';
import { nodeKinds } from '../../faults/node-kinds.js';
import { randomFaults } from '../diagnosis/scenarios/random-faults.js';

/** So many of the nodes die at once, up to twenty. */
const deadShare = 0.05;
const mostDead = 20;

const besideZones = [nodeKinds.off, nodeKinds.requestsTo, nodeKinds.tunnel];

/** Faults that many paths meet at once, by turns: twenty dead nodes, and two zones that are cut beside a fault of a node. */
export function largeFaults(seed: number, layout: Layout, random: Random): readonly Fault[] {
  return seed % 2 === 0 ? manyDead(layout, random) : zonesCut(layout, random);
}

/** A place that loses packets at random, and in half of the rounds another fault. */
export function lossyFaults(seed: number, layout: Layout, random: Random): readonly Fault[] {
  const lossy = randomFaults(layout, 1, random, seed, [], lossKinds);
  return randomFaults(layout, random.below(2), random, seed, lossy, brokenKinds);
}

/** All paths lose packets at random, and something else fails that most rows have no room to name by its hash. */
export function lossyEverywhere(seed: number, layout: Layout, random: Random): readonly Fault[] {
  const lossy = randomFault(allLosePackets, layout, random, () => true);
  return randomFaults(layout, 1, random, seed, lossy ? [lossy] : [], brokenKinds);
}

/** So many nodes lose packets, as shares of all. */
const [leastLossy, mostLossy] = [0.15, 0.4];

/** Many nodes lose packets at random, and in half of the rounds something else fails. */
export function manyLossy(seed: number, layout: Layout, random: Random): readonly Fault[] {
  const share = leastLossy + (mostLossy - leastLossy) * random.next();
  const lossy = some(Math.ceil(share * layout.names.length), layout, random);
  const lost = 0.03;
  const touches = (a: number, b: number) => lossy.has(a) || lossy.has(b);
  const trouble = {
    touches,
    nodes: [...lossy],
    loss: (a: number, b: number) => (touches(a, b) ? lost : 0),
  };
  const faults = [...lossy].map((node) => ({
    ...nodeKinds.loss.make(layout, { type: 'node', node }, lost),
    trouble,
  }));
  return randomFaults(layout, random.below(2), random, seed, faults, brokenKinds);
}

/** What a change that is rolled out may do to a node. */
const rolledOutKinds = [
  nodeKinds.off,
  nodeKinds.cannotSend,
  nodeKinds.requestsTo,
  nodeKinds.requestsOf,
  nodeKinds.agentGone,
  nodeKinds.agentHangs,
  nodeKinds.endpointHangs,
  nodeKinds.tunnel,
  nodeKinds.hostPlane,
  nodeKinds.icmp,
  nodeKinds.probePort,
];

/** So many get it, as shares of all, and no more than so many: more become one finding, which names some of them. */
const [leastRolledOut, mostRolledOut, mostNodes] = [0.2, 0.5, 15];

/** The same fault at several nodes, each with a trouble of its own. */
export function oneAfterAnother(layout: Layout, random: Random): readonly Fault[] {
  const share = leastRolledOut + (mostRolledOut - leastRolledOut) * random.next();
  const kind = random.pick(rolledOutKinds);
  const wanted = Math.min(Math.ceil(share * layout.names.length), mostNodes);
  const nodes = some(wanted, layout, random);
  return [...nodes].map((node) => kind.make(layout, { type: 'node', node }, 0));
}

/** So many nodes change, and so many faults each of them has. */
export const changingNodes = 2;
const faultsOfEach = 4;

/** Two nodes of which each has one fault after another, as where it fails, is looked at and is restarted. */
export function changingFaults(layout: Layout, random: Random): readonly Fault[] {
  const nodes = [...some(changingNodes, layout, random)];
  const last = new Map<number, FaultKind>();
  const faults: Fault[] = [];
  for (let turn = 0; turn < faultsOfEach; turn++) {
    for (const node of nodes) {
      const kind = random.pick(rolledOutKinds.filter((one) => one !== last.get(node)));
      last.set(node, kind);
      faults.push(kind.make(layout, { type: 'node', node }, 0));
    }
  }
  return faults;
}

/** So many different faults, each at nodes of its own. */
const mostMixed = 8;

/** Different faults. */
export function mixedFaults(seed: number, layout: Layout, random: Random): readonly Fault[] {
  return randomFaults(layout, mostMixed, random, seed, [], brokenKinds);
}

/** So many different nodes. */
function some(count: number, { names }: Layout, random: Random): ReadonlySet<number> {
  const nodes = new Set<number>();
  while (nodes.size < count) nodes.add(random.below(names.length));
  return nodes;
}

/** Each is a fault of its own; all of them begin and end together. */
function manyDead(layout: Layout, random: Random): readonly Fault[] {
  const wanted = Math.min(Math.ceil(deadShare * layout.names.length), mostDead);
  const dead = some(wanted, layout, random);
  const trouble = {
    touches: (a: number, b: number) => dead.has(a) || dead.has(b),
    nodes: [...dead],
    isOff: (node: number) => dead.has(node),
  };
  return [...dead].map((node) => ({
    ...nodeKinds.off.make(layout, { type: 'node', node }, 0),
    trouble,
  }));
}

function zonesCut(layout: Layout, random: Random): readonly Fault[] {
  const from = random.below(layout.zones.length);
  const to = (from + 1 + random.below(layout.zones.length - 1)) % layout.zones.length;
  const cut = zoneKinds.cut.make(layout, { type: 'zones', from, to }, 0);
  const isFree = (node: number) => !cut.nodes.includes(node);
  const beside = randomFault(random.pick(besideZones), layout, random, isFree);
  return beside ? [cut, beside] : [cut];
}
