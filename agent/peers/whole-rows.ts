import { packBits, rttToByte, unpackBits } from '../../api/schema/v1/matrix-bytes.js';
import { channels, channelNumber } from '../model/channel.js';
import { nameHash } from '../model/name-hash.js';
import type { MedianRtt } from '../model/median-rtt.js';
import type { PathState } from '../model/path-state.js';
import type { Path, Plane } from '../model/path.js';
import type { ObservedWholeRow, WholeRow } from '../model/row.js';
import type { Protocol } from '../model/sample.js';
import type { Clock } from '../platform/clock.js';
import type { NodeDirectory } from './node-directory.js';
import type { VisitPaths } from './row/build-row.js';

interface KeptWholeRow extends WholeRow {
  readonly receivedMs: number;
}

/** Bodies are bounded, and a larger matrix cannot be looked at. */
export const maxWholeRowNodes = 6000;

/** The largest part of a body that is a whole row: 17 bits a node and the hash of its name, in base64. */
export const maxWholeRowBytes = Math.ceil((maxWholeRowNodes * (17 / 8 + 4) * 4) / 3) + 256;

/** Peers are asked for this long after someone looked. */
const wantedForMs = 300_000;
/** The own row is written anew at most this often. */
const minRewriteMs = 1000;
/** All rows that are kept together; past it those that came first are forgotten. */
const maxKeptBytes = 32 * 1024 * 1024;

const stateBytes = { unknown: 1, reachable: 2, degraded: 3, unreachable: 4, excluded: 5 } as const;
const maxStateByte = 5;

const wantPattern = /^([0-3])\.([a-z0-9]{1,7})$/;
const base64Pattern = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The names of the nodes in order, and a digest of them. Two agents with the same digest need not
 * send the names.
 */
class NodeList {
  readonly names: readonly string[];
  readonly digest: string;
  #hashes: string | undefined;
  #indexOfHash: Map<number, number> | undefined;

  constructor(names: readonly string[]) {
    this.names = names;
    this.digest = nameHash(names.join('\n')).toString(36);
  }

  /** The hashes of all names, four bytes each, in base64. */
  get hashes(): string {
    if (this.#hashes !== undefined) return this.#hashes;
    const bytes = Buffer.alloc(4 * this.names.length);
    this.names.forEach((name, index) => bytes.writeUInt32BE(nameHash(name), 4 * index));
    this.#hashes = bytes.toString('base64');
    return this.#hashes;
  }

  /** The index of the node with that hash; undefined if there is none, or more than one. */
  indexOfHash(hash: number): number | undefined {
    if (!this.#indexOfHash) {
      this.#indexOfHash = new Map();
      for (const [index, name] of this.names.entries()) {
        const known = this.#indexOfHash.has(nameHash(name));
        this.#indexOfHash.set(nameHash(name), known ? -1 : index);
      }
    }
    const index = this.#indexOfHash.get(hash);
    return index === -1 ? undefined : index;
  }
}

/** The median of a path's last round trips by a protocol; undefined where there is none. */
export type MedianRttOf = (path: Path, protocol: Protocol) => MedianRtt | undefined;

export interface WholeRowsOptions {
  readonly clock: Clock;
  readonly directory: NodeDirectory;
  readonly visitPaths: VisitPaths;
  readonly medianRtt: MedianRttOf;
}

/**
 * The whole rows of observers, which are asked for while someone looks at the matrix, and this
 * agent's own.
 */
export class WholeRows {
  readonly #options: WholeRowsOptions;
  /** Until when each channel is wanted, in monotonic milliseconds. */
  readonly #wantedUntilMs = new Map<number, number>();
  /** By channel and observer; the row that came first is the first. */
  readonly #kept = new Map<string, KeptWholeRow>();
  readonly #own = new Map<number, { readonly writtenMs: number; readonly row: WholeRow }>();
  #keptBytes = 0;
  /** Made when it is needed: mostly nobody looks. */
  #listed: NodeList | undefined;

  constructor(options: WholeRowsOptions) {
    this.#options = options;
  }

  /** Takes note of a new node list. */
  update(): void {
    const { directory } = this.#options;
    this.#listed = undefined;
    this.#own.clear();
    for (const key of this.#kept.keys()) {
      if (!directory.get(observerOf(key))) this.#forget(key);
    }
  }

  /** An observer's whole row, if one has come; peers are asked for theirs for the next five minutes. */
  get(observer: string, plane: Plane, protocol: Protocol): ObservedWholeRow | undefined {
    const channel = channelNumber(plane, protocol);
    const nowMs = this.#options.clock.nowMs();
    this.#wantedUntilMs.set(channel, nowMs + wantedForMs);
    const kept = this.#kept.get(keyOf(channel, observer));
    if (!kept) return undefined;
    const { nodes, states, rtts, few, receivedMs } = kept;
    return { nodes, states, rtts, few, ageMs: nowMs - receivedMs };
  }

  /**
   * What a request to that peer asks for; undefined if nobody looks. It is one channel at a time:
   * the one of which the peer's row is the oldest.
   */
  want(peer: string): string | undefined {
    this.#forgetUnwanted();
    let [oldest, oldestMs] = [-1, Infinity];
    for (const channel of this.#wantedUntilMs.keys()) {
      const receivedMs = this.#kept.get(keyOf(channel, peer))?.receivedMs ?? -Infinity;
      if (oldest >= 0 && receivedMs >= oldestMs) continue;
      [oldest, oldestMs] = [channel, receivedMs];
    }
    return oldest < 0 ? undefined : `${oldest}.${this.#list.digest}`;
  }

  /** The own whole row as JSON, for a request that wants it; undefined where it is too large. */
  answer(want: string): string | undefined {
    const [, channel, digest] = wantPattern.exec(want) ?? [];
    if (channel === undefined || this.#list.names.length > maxWholeRowNodes) return undefined;
    const { states, rtts, few } = this.#ownRow(Number(channel));
    return JSON.stringify({
      channel: Number(channel),
      states: Buffer.from(states).toString('base64'),
      rtts: Buffer.from(rtts).toString('base64'),
      few: Buffer.from(packBits(few)).toString('base64'),
      ...(digest !== this.#list.digest && { hashes: this.#list.hashes }),
    });
  }

  /** Keeps what a peer answered to a want; false where it is malformed. */
  keep(observer: string, want: string | undefined, value: unknown): boolean {
    const [, channel, digest] = wantPattern.exec(want ?? '') ?? [];
    if (typeof value !== 'object' || value === null) return false;
    if (Number(channel) !== Reflect.get(value, 'channel')) return false;
    const { states, rtts, hashes, few } = value as Record<string, unknown>;
    const sent = { states: bytesOf(states), rtts: bytesOf(rtts), hashes: bytesOf(hashes) };
    const count = sent.states?.length ?? 0;
    if (!sent.states || sent.rtts?.length !== count || count > maxWholeRowNodes) return false;
    if (sent.states.some((byte) => byte > maxStateByte)) return false;
    // An older agent tells last round trips: each is of one.
    const bits = bytesOf(few ?? '');
    const isFewSent = bits?.length === Math.ceil(count / 8);
    if (few !== undefined && !isFewSent) return false;
    const sentFew = bits && isFewSent ? unpackBits(bits, count) : new Uint8Array(count).fill(1);
    const { names } = this.#list;
    let row: WholeRow = { nodes: names, states: sent.states, rtts: sent.rtts, few: sentFew };
    if (hashes !== undefined) {
      if (sent.hashes?.length !== 4 * count) return false;
      row = this.#inOwnOrder(row, sent.hashes);
    } else {
      // The own list has changed since the peer was asked.
      if (digest !== this.#list.digest) return true;
      if (names.length !== count) return false;
    }
    this.#keep(keyOf(Number(channel), observer), row);
    return true;
  }

  /** The memory that the peers' rows take, in bytes. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  get #list(): NodeList {
    const { directory } = this.#options;
    return (this.#listed ??= new NodeList([...directory.nodes()].map(({ name }) => name).sort()));
  }

  #keep(key: string, row: WholeRow): void {
    this.#forget(key);
    this.#kept.set(key, { ...row, receivedMs: this.#options.clock.nowMs() });
    this.#keptBytes += bytesOfRow(row);
    for (const oldest of this.#kept.keys()) {
      if (this.#keptBytes <= maxKeptBytes) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const row = this.#kept.get(key);
    if (row && this.#kept.delete(key)) this.#keptBytes -= bytesOfRow(row);
  }

  /** Forgets the rows that no one has looked at for five minutes: no newer ones come. */
  #forgetUnwanted(): void {
    const nowMs = this.#options.clock.nowMs();
    for (const [channel, untilMs] of this.#wantedUntilMs) {
      if (untilMs > nowMs) continue;
      this.#wantedUntilMs.delete(channel);
      for (const key of this.#kept.keys()) {
        if (key.startsWith(keyOf(channel, ''))) this.#forget(key);
      }
    }
  }

  #ownRow(channel: number): WholeRow {
    const { clock, directory, visitPaths, medianRtt } = this.#options;
    const nowMs = clock.nowMs();
    const known = this.#own.get(channel);
    if (known && nowMs - known.writtenMs < minRewriteMs) return known.row;
    const { plane, protocol } = channels[channel] ?? { plane: 'host', protocol: 'icmp' };
    const { names } = this.#list;
    const indexOf = new Map(names.map((name, index) => [name, index]));
    const states = Uint8Array.from(names, (name) =>
      directory.primaryPath(name, plane) ? stateBytes.excluded : 0,
    );
    const rtts = new Uint8Array(names.length);
    const few = new Uint8Array(names.length);
    visitPaths((path, ofProtocol, state, { isLossy, isSlow }) => {
      const index = indexOf.get(path.node);
      if (path.plane !== plane || ofProtocol !== protocol || index === undefined) return;
      states[index] = stateByteOf(state, isLossy || isSlow);
      if (state.rttNs === undefined) return;
      const median = medianRtt(path, protocol);
      rtts[index] = rttToByte(median?.rttNs ?? state.rttNs);
      few[index] = median?.isOfFew === false ? 0 : 1;
    });
    const row = { nodes: names, states, rtts, few };
    this.#own.set(channel, { writtenMs: nowMs, row });
    return row;
  }

  /** Converts a row of a peer with another node list to the own list. */
  #inOwnOrder(sent: WholeRow, hashes: Uint8Array): WholeRow {
    const { names } = this.#list;
    const row = {
      nodes: names,
      states: new Uint8Array(names.length),
      rtts: new Uint8Array(names.length),
      few: new Uint8Array(names.length),
    };
    const view = new DataView(hashes.buffer, hashes.byteOffset, hashes.byteLength);
    sent.states.forEach((state, at) => {
      const index = this.#list.indexOfHash(view.getUint32(4 * at));
      if (index === undefined) return;
      row.states[index] = state;
      row.rtts[index] = sent.rtts[at] ?? 0;
      row.few[index] = sent.few[at] ?? 1;
    });
    return row;
  }
}

function stateByteOf({ state }: PathState, isDegraded: boolean): number {
  return state === 'reachable' && isDegraded ? stateBytes.degraded : stateBytes[state];
}

function keyOf(channel: number, observer: string): string {
  return `${channel} ${observer}`;
}

function observerOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}

function bytesOfRow({ states, rtts, few }: WholeRow): number {
  return states.length + rtts.length + few.length;
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'string' || value.length % 4 > 0 || !base64Pattern.test(value))
    return undefined;
  return new Uint8Array(Buffer.from(value, 'base64'));
}
