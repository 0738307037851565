import { failureKinds, type FailureKind } from '../../model/failure.js';
import { mostTellingLost, type RowFlows, type RowPath } from '../../model/row.js';
import type { RowLargeLoss } from '../../model/row-large.js';

/** The meaning of the numbers in `failures`; 0 is none. */
export const failureCodes: readonly (FailureKind | undefined)[] = [undefined, ...failureKinds];

const codeOf = new Map(failureCodes.map((failure, code) => [failure, code]));
const timeout = failureCodes.indexOf('timeout');

/** The lists that have a mask of channels for each entry, and those that have four bits for each channel. */
const masks = ['fail', 'lossy', 'slow', 'unknown', 'mtu', 'passed'] as const;
const fourBits = ['failures', 'answeredSince', 'lost'] as const;

/** What observers say about nodes: an entry for each pair of nodes with a path that is not well, in arrays that grow. */
export class EntryList {
  size = 0;
  /** Node numbers. */
  from = new Int32Array(256);
  to = new Int32Array(256);
  /** Masks of channels. */
  fail = new Uint8Array(256);
  lossy = new Uint8Array(256);
  slow = new Uint8Array(256);
  unknown = new Uint8Array(256);
  /** Whether any entry has a channel of which nothing is known. */
  hasUnknown = false;
  /** Large packets are lost; large packets passed. Only entries about large packets have these. */
  mtu = new Uint8Array(256);
  passed = new Uint8Array(256);
  /** Why channels fail: four bits for each channel, see `failureCodes`. */
  failures = new Uint16Array(256);
  /** Which others answered since a channel fails: a mask of four bits for each channel. */
  answeredSince = new Uint16Array(256);
  /** How long ago the target's own GET came last, in seconds, where the path of the observer's own fails; 0 where that is not told. */
  unheardS = new Float32Array(256);
  /** How many probes of a lossy path were lost in ten minutes, as far as that tells more: four bits for each channel; 0 where that is not told. */
  lost = new Uint16Array(256);
  /** For each entry and channel, since when the path is in its state, in seconds. */
  ageS = new Float32Array(1024);

  /** Of few paths: the flows that never pass, by four times the entry plus the channel. */
  readonly flows = new Map<number, RowFlows>();
  /** What is said of the paths on which large packets are lost, by the same numbers. */
  readonly losses = new Map<number, RowLargeLoss>();

  /** Returns an empty list: the one that was given back for this owner, if there is one. */
  static take(owner: object): EntryList {
    const list = givenBack.get(owner) ?? new EntryList();
    givenBack.delete(owner);
    list.#clear();
    return list;
  }

  /** Nobody reads it any more, so the next run of its owner may write into it. One that is larger than it need be is let go. */
  giveBack(owner: object): void {
    if (2 * this.size >= this.from.length) givenBack.set(owner, this);
  }

  add(from: number, to: number): number {
    if (this.size === this.from.length) this.#grow();
    const entry = this.size++;
    this.from[entry] = from;
    this.to[entry] = to;
    return entry;
  }

  note(entry: number, channel: number, path: RowPath, bodyAgeS: number): void {
    const { state, ageSeconds, failure, flows, lost = 0, answeredSince = 0, unheardSeconds } = path;
    const masks = state === 'unreachable' ? this.fail : this[state];
    masks[entry] = (masks[entry] ?? 0) | (1 << channel);
    this.hasUnknown ||= state === 'unknown';
    this.setAge(entry, channel, ageSeconds, bodyAgeS);
    if (flows) this.flows.set(4 * entry + channel, flows);
    if (unheardSeconds !== undefined) this.unheardS[entry] = unheardSeconds + bodyAgeS;
    const setFour = (numbers: Uint16Array, bits: number): void => {
      numbers[entry] = (numbers[entry] ?? 0) | (bits << (4 * channel));
    };
    setFour(this.lost, Math.min(lost, mostTellingLost));
    setFour(this.answeredSince, answeredSince);
    setFour(this.failures, codeOf.get(failure) ?? 0);
  }

  setAge(entry: number, channel: number, ageSeconds: number, bodyAgeS: number): void {
    this.ageS[4 * entry + channel] = Math.max(ageSeconds + bodyAgeS, 0);
  }

  /** Why a channel of an entry fails, see `failureCodes`. */
  failureCode(entry: number, channel: number): number {
    return ((this.failures[entry] ?? 0) >> (4 * channel)) & 15;
  }

  /** Whether a channel of an entry fails because nobody answered. */
  isTimeout(entry: number, channel: number): boolean {
    return this.failureCode(entry, channel) === timeout;
  }

  /** The channels of an entry by state, and why they fail, in one number of 32 bits. */
  states(entry: number): number {
    const byState =
      (this.fail[entry] ?? 0) |
      ((this.lossy[entry] ?? 0) << 4) |
      ((this.slow[entry] ?? 0) << 8) |
      ((this.unknown[entry] ?? 0) << 12);
    return byState | ((this.failures[entry] ?? 0) << 16);
  }

  setStates(entry: number, states: number): void {
    this.fail[entry] = states & 15;
    this.lossy[entry] = (states >> 4) & 15;
    this.slow[entry] = (states >> 8) & 15;
    this.unknown[entry] = (states >> 12) & 15;
    this.hasUnknown ||= this.unknown[entry] !== 0;
    this.failures[entry] = states >>> 16;
  }

  /** Notes what became of large packets on a path. Those that passed count where none were lost. */
  noteLarge(
    outcome: 'mtu' | 'passed',
    entry: number,
    channel: number,
    said: RowLargeLoss,
    bodyAgeS: number,
  ): void {
    const path = 4 * entry + channel;
    if (outcome === 'mtu') this.losses.set(path, said);
    else if (this.losses.has(path)) return;
    this[outcome][entry] = (this[outcome][entry] ?? 0) | (1 << channel);
    this.setAge(entry, channel, said.ageSeconds, bodyAgeS);
  }

  #clear(): void {
    for (const name of [...masks, ...fourBits]) this[name].fill(0, 0, this.size);
    this.unheardS.fill(0, 0, this.size);
    this.ageS.fill(0, 0, 4 * this.size);
    this.hasUnknown = false;
    this.flows.clear();
    this.losses.clear();
    this.size = 0;
  }

  #grow(): void {
    this.from = doubled(this.from, Int32Array);
    this.to = doubled(this.to, Int32Array);
    for (const name of masks) this[name] = doubled(this[name], Uint8Array);
    for (const name of fourBits) this[name] = doubled(this[name], Uint16Array);
    this.unheardS = doubled(this.unheardS, Float32Array);
    this.ageS = doubled(this.ageS, Float32Array);
  }
}

/**
 * The lists that were given back, by owner. With 50 of 5,000 nodes dead one has a quarter of a million entries. To make and to drop it in
 * each run is most of what V8 counts until it collects all garbage, and with that goes the compiled code of closures.
 */
const givenBack = new WeakMap<object, EntryList>();

function doubled<T extends { set(old: T): void; readonly length: number }>(
  old: T,
  Numbers: new (length: number) => T,
): T {
  const next = new Numbers(2 * old.length);
  next.set(old);
  return next;
}
