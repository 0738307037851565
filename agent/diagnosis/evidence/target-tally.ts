import { ageOfOldestTenth } from './begin.js';
import type { Trouble } from '../nouns/cause.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { LookSays } from './shadowed-looks.js';
import type { AskedServer, ServerLists } from './server-lists.js';
import type { TargetLooks } from './target-looks.js';

/** What looks of one target are counted as: one trouble of it, or of one of its servers. */
export interface TargetQuestion {
  readonly looks: TargetLooks;
  readonly lists: ServerLists;
  readonly trouble: Trouble;
  /** The DNS server that it is about; the others of the target answer. Left out, it is about the whole target. */
  readonly server?: AskedServer;
}

// What a look counts as. Nothing is known, or it does not count; nothing is known before the node looks again.
export const notKnown = 0;
export const waits = 1;
export const well = 2;
export const bad = 3;

/** The time between two looks of a node at a target counts as no less than this. */
const leastIntervalS = 5;
/** Each server is asked until its state is sure, so one that fails counts as if it was asked again twice. */
const serverAgains = 2;

/** Which nodes see a trouble of a target, and which looked and do not. */
export type TargetTally = ReturnType<typeof tallyTarget>;

/**
 * Counts which nodes see a trouble of a target, and which looked and do not. The search explains it as it does paths: a node is the entry
 * of its looks, and the two planes are their channels.
 * @param tells what the look of a slot tells
 */
export function tallyTarget(
  index: ClusterIndex,
  question: TargetQuestion,
  tells: (slot: number) => LookSays,
) {
  const { looks, server, trouble } = question;
  const { probedS, ageS } = looks;
  const kinds = new Uint8Array(probedS.length);
  const masks = new Uint8Array(index.size);
  const [badSlots, probed, nodes]: [number[], number[], Set<number>] = [[], [], new Set()];
  for (let slot = 0; slot < probedS.length; slot++) {
    const kind = kindOf(question, slot);
    const says = kind === notKnown ? 'nothing' : tells(slot);
    if (says === 'waits') kinds[slot] = waits;
    if (says !== 'counts') continue;
    const node = slot >> 1;
    kinds[slot] = kind;
    nodes.add(node);
    probed.push(probedS[slot] ?? 0);
    if (kind !== bad) continue;
    badSlots.push(slot);
    masks[node] = (masks[node] ?? 0) | (1 << (slot & 1));
  }
  probed.sort((a, b) => a - b);
  /** About the time between two probes from one plane of a node. */
  const intervalS = Math.max(probed[Math.floor(0.9 * probed.length)] ?? 0, leastIntervalS);
  const ageOf = (slot: number): number => ageS[slot] ?? 0;
  return {
    index,
    question,
    trouble,
    /** By slot: `notKnown`, `waits`, `well` or `bad`. */
    kinds,
    /** By node: the planes from which its looks are bad, as a mask. */
    bad: masks,
    badSlots: badSlots as readonly number[],
    /** The nodes with a bad look, ascending. */
    badEntries: Int32Array.from(new Set(badSlots.map((slot) => slot >> 1))),
    knownNodes: nodes.size,

    /** For how long a node's look from a plane has been in its state, in seconds. */
    ageS: (node: number, plane: number): number => ageOf(2 * node + plane),

    /** How often it was probed again since it came into that state. */
    agains(node: number, plane: number): number {
      if (server !== undefined) return serverAgains;
      const slot = 2 * node + plane;
      return Math.max(ageOf(slot) - (probedS[slot] ?? 0), 0) / intervalS;
    },

    /** Whether a slot is well and was probed after something began that many seconds ago. Rows round one age down and the other up. */
    isWellSince: (slot: number, beganS: number): boolean =>
      kinds[slot] === well && (probedS[slot] ?? 0) <= beganS,

    /** When a tenth of some looks had failed, in seconds ago. One that failed much earlier does not count. */
    beganS: (slots: readonly number[]): number => ageOfOldestTenth(slots.map(ageOf)),
  };
}

/** The slots of a node's looks from the planes of a mask. */
export function slotsOf(node: number, planes: number): readonly number[] {
  return [0, 1].filter((plane) => (planes >> plane) & 1).map((plane) => 2 * node + plane);
}

function kindOf({ looks, lists, trouble, server }: TargetQuestion, slot: number): number {
  const state = looks.stateAt(slot);
  if (state === 'unknown') return notKnown;
  if (trouble !== 'broken') {
    if (state === 'unreachable') return notKnown;
    return state === trouble ? bad : well;
  }
  const failing = looks.details.get(slot)?.servers ?? 0;
  const isWhole = state === 'unreachable' && !isPart(failing, lists.countAt(slot));
  if (server !== undefined && lists.digestAt(slot) !== server.list) return notKnown;
  if (server === undefined) return isWhole ? bad : well;
  // Where the whole target fails, a server of it needs no cause of its own.
  if (isWhole) return notKnown;
  return (failing >> server.number) & 1 ? bad : well;
}

/** Whether these servers, as bits, are some but not all. */
function isPart(failing: number, servers: number | undefined): boolean {
  return failing !== 0 && servers !== undefined && failing !== 2 ** servers - 1;
}

/** A text that is the same for the same target and server. */
export function targetKey({ looks, server }: TargetQuestion): string {
  return server ? `${looks.name} ${serverId(server)}` : looks.name;
}

/** What a server is called in the id of a finding, on all agents. The list that most nodes have needs no name. */
export function serverId({ number, list, isUsual }: AskedServer): string {
  return `server-${number + 1}${isUsual ? '' : `-of-${list.toString(36)}`}`;
}
