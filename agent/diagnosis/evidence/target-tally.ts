import { ageOfOldestTenth } from './begin.js';
import { allMask, channelsIn, endpointMask, hostMask, icmpMask } from '../nouns/channel-mask.js';
import type { Trouble } from '../nouns/cause.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { LookSays } from './shadowed-looks.js';
import type { ServerLists } from './server-lists.js';
import { lookStates, type TargetLooks } from './target-looks.js';

/** One DNS server of those that some nodes ask: nodes with another list say nothing of it. */
interface AskedServer {
  /** From 0. */
  readonly number: number;
  /** The digest of the list. */
  readonly list: number;
  /** Most nodes have that list. */
  readonly isUsual: boolean;
}

/** What looks of one target are counted as: one trouble of it, or of one of its servers. */
export interface TargetQuestion {
  readonly looks: TargetLooks;
  readonly trouble: Trouble;
  /** The DNS server that it is about; the others of the target answer. Left out, it is about the whole target. */
  readonly server?: AskedServer;
}

/** Nothing is known, or it does not count. */
export const notKnown = 0;
export const well = 1;
export const bad = 2;

/** The time between two looks of a node at a target counts as no less than this. */
const leastIntervalS = 5;
/** Each server is asked until its state is sure, so one that fails counts as if it was asked again twice. */
const serverAgains = 2;

/** Which nodes see a trouble of a target, and which looked and do not. */
export class TargetTally {
  readonly index: ClusterIndex;
  readonly question: TargetQuestion;
  readonly lists: ServerLists;
  readonly trouble: Trouble;
  /** By slot: `notKnown`, `well` or `bad`. */
  readonly kinds: Uint8Array;
  /** The slots of which nothing is known before they look again. */
  readonly waiting: ReadonlySet<number>;
  /** By node, which is the entry of its looks: the channels of the planes from which they are bad, as a mask. */
  readonly bad: Uint8Array;
  /** The nodes with a bad look, ascending. */
  readonly badEntries: Int32Array;
  /** The slots that are bad, ascending. */
  readonly badSlots: readonly number[];
  /** How many nodes say something. */
  readonly knownNodes: number;
  /** About the time between two probes from one plane of a node. */
  readonly intervalS: number;

  /**
   * @param tells what the look of a slot tells
   * @param lists which servers are asked
   */
  constructor(
    index: ClusterIndex,
    question: TargetQuestion,
    tells: (slot: number) => LookSays,
    lists: ServerLists,
  ) {
    this.index = index;
    this.question = question;
    this.lists = lists;
    this.trouble = question.trouble;
    this.bad = new Uint8Array(index.size);
    const { looks } = question;
    this.kinds = new Uint8Array(looks.states.length);
    const waiting = new Set<number>();
    const badSlots: number[] = [];
    const probed: number[] = [];
    let knownNodes = 0;
    for (let node = 0; node < index.size; node++) {
      let isKnown = false;
      for (let slot = 2 * node; slot < 2 * node + 2; slot++) {
        const kind = kindOf(question, slot, lists);
        if (kind === notKnown) continue;
        const says = tells(slot);
        if (says === 'waits') waiting.add(slot);
        if (says !== 'counts') continue;
        this.kinds[slot] = kind;
        isKnown = true;
        probed.push(looks.probedS[slot] ?? 0);
        if (kind !== bad) continue;
        badSlots.push(slot);
        this.bad[node] = (this.bad[node] ?? 0) | (1 << (2 * (slot & 1)));
      }
      if (isKnown) knownNodes++;
    }
    this.waiting = waiting;
    this.badSlots = badSlots;
    this.badEntries = Int32Array.from(new Set(badSlots.map((slot) => slot >> 1)));
    this.knownNodes = knownNodes;
    probed.sort((a, b) => a - b);
    this.intervalS = Math.max(probed[Math.floor(0.9 * probed.length)] ?? 0, leastIntervalS);
  }

  /** Where the entries are. A target is at no node. */
  get places() {
    const { size, zoneOf, zones } = this.index;
    return {
      from: Int32Array.from({ length: size }, (_, node) => node),
      to: new Int32Array(size).fill(-1),
      groupOf: zoneOf,
      groups: zones.length,
    };
  }

  /** The channels of the planes from which the target is probed, as a mask. */
  get planes(): number {
    return channelsOf(this.question.looks.planes);
  }

  /** For how long a node's look from the plane of a channel has been in its state. */
  ageS(node: number, channel: number): number {
    return this.slotAgeS(slotOf(node, channel));
  }

  /** The same of a slot. */
  slotAgeS(slot: number): number {
    return this.question.looks.ageS[slot] ?? 0;
  }

  /** How often a slot was probed again since it came into its state. */
  agains(slot: number): number {
    const { looks, server } = this.question;
    if (server !== undefined) return serverAgains;
    return Math.max((looks.ageS[slot] ?? 0) - (looks.probedS[slot] ?? 0), 0) / this.intervalS;
  }

  /**
   * Whether a slot was probed after something began that many seconds ago, and is well. Rows round the one age down and
   * the other up.
   */
  isWellSince(slot: number, beganS: number): boolean {
    return this.kinds[slot] === well && (this.question.looks.probedS[slot] ?? 0) <= beganS;
  }

  /** Whether a slot is bad, or was found well since. */
  isKnownSince(slot: number, beganS: number): boolean {
    return this.kinds[slot] === bad || this.isWellSince(slot, beganS);
  }

  /** When a tenth of some looks had failed, in seconds ago. One that failed much earlier does not count. */
  beganS(slots: readonly number[]): number {
    return ageOfOldestTenth(slots.map((slot) => this.slotAgeS(slot)));
  }
}

/** The slots of a node's looks from the planes of some channels. Echoes stand for the planes. */
export function slotsOf(node: number, channels: number): readonly number[] {
  return channelsIn(channels & icmpMask).map((channel) => slotOf(node, channel));
}

/** The slot of a node's look from the plane of a channel. */
export function slotOf(node: number, channel: number): number {
  return 2 * node + (channel >> 1);
}

function kindOf(
  { looks, trouble, server }: TargetQuestion,
  slot: number,
  lists: ServerLists,
): number {
  const state = lookStates[looks.states[slot] ?? 0] ?? 'none';
  if (state === 'none') return notKnown;
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

/** The channels of some planes, as findings about paths have them. */
export function channelsOf(channels: number): number {
  return channels === 3 ? allMask : channels === 1 ? hostMask : endpointMask;
}

/** The planes of a set of channels: 1 the host, 2 the endpoint. */
export function planesOf(mask: number): number {
  return ((mask & hostMask) === 0 ? 0 : 1) | ((mask & endpointMask) === 0 ? 0 : 2);
}

/** A text that is the same for the same target and server. */
export function targetKey({ looks, server }: TargetQuestion): string {
  return server ? `${looks.name} ${serverId(server)}` : looks.name;
}

/** What a server is called in the id of a finding, on all agents. The list that most nodes have needs no name. */
export function serverId({ number, list, isUsual }: AskedServer): string {
  return `server-${number + 1}${isUsual ? '' : `-of-${list.toString(36)}`}`;
}
