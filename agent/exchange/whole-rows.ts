import { nameHash } from '../model/name-hash.js';
import type { PathState } from '../model/path-state.js';
import type { Plane } from '../model/path.js';
import type { Protocol } from '../model/sample.js';
import type { Clock } from '../platform/clock.js';
import type { NodeDirectory } from './node-directory.js';
import { channels } from './row-codec.js';
import type { VisitPaths } from './row-builder.js';
import { rttByte } from './rtt-byte.js';

/** All that one agent sees by one protocol on one plane: a byte of state and one of RTT a node, as in `/v1/matrix`. */
export interface WholeRow {
  /** '' for a node that is not listed here. */
  readonly nodes: readonly string[];
  readonly states: Uint8Array;
  readonly rtts: Uint8Array;
}

/** A body is bounded, and a larger matrix is nothing to look at. */
export const maxWholeRowNodes = 6000;

/** The largest part of a body that is a whole row: two bytes a node and the hash of its name, in base64. */
export const maxWholeRowBytes = Math.ceil((maxWholeRowNodes * (2 + 4) * 4) / 3) + 256;

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

/** The names of the nodes in their order, and a digest of them: two agents with the same list need not tell it. */
interface NodeList {
  readonly names: readonly string[];
  readonly digest: string;
}

export interface WholeRowsOptions {
  readonly clock: Clock;
  readonly directory: NodeDirectory;
  readonly visitPaths: VisitPaths;
}

/** The whole rows of the observers, asked for while someone looks at them, and this agent's own. */
export class WholeRows {
  readonly #options: WholeRowsOptions;
  /** Until when each channel is wanted, in monotonic milliseconds. */
  readonly #wantedUntilMs = new Map<number, number>();
  readonly #kept = new Map<string, WholeRow>();
  readonly #own = new Map<number, { readonly writtenMs: number; readonly row: WholeRow }>();
  #keptBytes = 0;
  #list: NodeList = { names: [], digest: digestOf([]) };
  #turn = 0;

  constructor(options: WholeRowsOptions) {
    this.#options = options;
  }

  /** Takes note of a new node list. */
  update(): void {
    const names = [...this.#options.directory.nodes()].map(({ name }) => name).sort();
    this.#list = { names, digest: digestOf(names) };
    this.#own.clear();
    for (const [key, { states }] of this.#kept) {
      const observer = key.slice(2);
      if (!this.#options.directory.get(observer)) this.#forget(key, states);
    }
  }

  /** An observer's whole row, if one has come; peers are asked for theirs for the next five minutes. */
  get(observer: string, plane: Plane, protocol: Protocol): WholeRow | undefined {
    const channel = channelOf(plane, protocol);
    this.#wantedUntilMs.set(channel, this.#options.clock.nowMs() + wantedForMs);
    return this.#kept.get(`${channel} ${observer}`);
  }

  /** What a request asks for, one channel at a time; undefined where no one looks. */
  want(): string | undefined {
    const nowMs = this.#options.clock.nowMs();
    const wanted = [...this.#wantedUntilMs].filter(([, untilMs]) => untilMs > nowMs);
    const [channel] = wanted[this.#turn++ % Math.max(wanted.length, 1)] ?? [];
    return channel === undefined ? undefined : `${channel}.${this.#list.digest}`;
  }

  /** The own whole row as JSON, for a request that wants it; undefined where it is too large. */
  answer(want: string): string | undefined {
    const [, channel, digest] = wantPattern.exec(want) ?? [];
    if (channel === undefined || this.#list.names.length > maxWholeRowNodes) return undefined;
    const { states, rtts } = this.#ownRow(Number(channel));
    return JSON.stringify({
      channel: Number(channel),
      states: Buffer.from(states).toString('base64'),
      rtts: Buffer.from(rtts).toString('base64'),
      ...(digest !== this.#list.digest && { hashes: hashesOf(this.#list.names) }),
    });
  }

  /** Keeps what a peer answered to a want; false where it is malformed. */
  keep(observer: string, want: string | undefined, value: unknown): boolean {
    const [, channel, digest] = wantPattern.exec(want ?? '') ?? [];
    if (
      typeof value !== 'object' ||
      value === null ||
      Number(channel) !== Reflect.get(value, 'channel')
    )
      return false;
    const { states, rtts, hashes } = value as Record<string, unknown>;
    const [stateBytes, rttBytes] = [bytesOf(states), bytesOf(rtts)];
    if (!stateBytes || rttBytes?.length !== stateBytes.length) return false;
    if (stateBytes.length > maxWholeRowNodes || stateBytes.some((byte) => byte > maxStateByte))
      return false;
    let { names } = this.#list;
    if (hashes !== undefined) {
      const hashBytes = bytesOf(hashes);
      if (hashBytes?.length !== 4 * stateBytes.length) return false;
      names = this.#namesOf(hashBytes);
      // The list has changed here since the peer was asked.
    } else if (digest !== this.#list.digest) return true;
    if (names.length !== stateBytes.length) return false;
    const key = `${Number(channel)} ${observer}`;
    this.#forget(key, this.#kept.get(key)?.states);
    this.#kept.set(key, { nodes: names, states: stateBytes, rtts: rttBytes });
    this.#keptBytes += 2 * stateBytes.length;
    for (const [oldest, { states: oldStates }] of this.#kept) {
      if (this.#keptBytes <= maxKeptBytes) break;
      this.#forget(oldest, oldStates);
    }
    return true;
  }

  #forget(key: string, states: Uint8Array | undefined): void {
    if (states && this.#kept.delete(key)) this.#keptBytes -= 2 * states.length;
  }

  #ownRow(channel: number): WholeRow {
    const { clock, directory, visitPaths } = this.#options;
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
    visitPaths((path, ofProtocol, state, isLossy, isSlow) => {
      const index = indexOf.get(path.node);
      if (path.plane !== plane || ofProtocol !== protocol || index === undefined) return;
      states[index] = stateByteOf(state, isLossy || isSlow);
      rtts[index] = rttByte(state.rttNs);
    });
    const row = { nodes: names, states, rtts };
    this.#own.set(channel, { writtenMs: nowMs, row });
    return row;
  }

  /** The listed nodes that have those hashes; '' where none or more than one has. */
  #namesOf(hashes: Uint8Array): string[] {
    const byHash = new Map<number, string>();
    for (const name of this.#list.names) {
      const hash = nameHash(name);
      byHash.set(hash, byHash.has(hash) ? '' : name);
    }
    const view = new DataView(hashes.buffer, hashes.byteOffset, hashes.byteLength);
    return Array.from({ length: hashes.length / 4 }, (_, index) => {
      return byHash.get(view.getUint32(4 * index)) ?? '';
    });
  }
}

function stateByteOf({ state }: PathState, isDegraded: boolean): number {
  return state === 'reachable' && isDegraded ? stateBytes.degraded : stateBytes[state];
}

function channelOf(plane: Plane, protocol: Protocol): number {
  return channels.findIndex((one) => one.plane === plane && one.protocol === protocol);
}

function digestOf(names: readonly string[]): string {
  return nameHash(names.join('\n')).toString(36);
}

function hashesOf(names: readonly string[]): string {
  const bytes = Buffer.alloc(4 * names.length);
  names.forEach((name, index) => bytes.writeUInt32BE(nameHash(name), 4 * index));
  return bytes.toString('base64');
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'string' || value.length % 4 > 0 || !base64Pattern.test(value))
    return undefined;
  return new Uint8Array(Buffer.from(value, 'base64'));
}
