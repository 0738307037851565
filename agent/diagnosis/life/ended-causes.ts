import { isCovered } from '../../model/row-coverage.js';
import { freshForMs } from '../../model/row.js';
import { beginS, mostAges } from '../evidence/begin.js';
import {
  lookTimes,
  overdueOf,
  slackS,
  type LookTime,
  type LookTimes,
} from '../evidence/time-model.js';
import type { Cause, Ways } from '../nouns/cause.js';
import { sizeOf } from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { PastCause } from '../nouns/memory.js';
import { nameCause, namesOf, subjectOf } from '../nouns/named-cause.js';
import type { Subject } from '../nouns/subject.js';
import type { Observer } from '../evidence/observations.js';
import type { Tally } from '../evidence/tally.js';
import { coveredIn } from '../evidence/witnesses.js';
import { fitEnd, RowsOfCause } from './fit-end.js';

/** A cause has ended if so much less contradicts it then, in natural logarithms of odds. */
const leastGain = 6;
/** A pair has no more than two witnesses. */
const leastPairGain = 3;
/** Further channels of one row say little more than the first. */
const furtherChannel = 0.2;
/** What a node tells itself or sends counts as two rows: it is about many paths. */
const ownRows = 2;

/** What causes that have ended explain of what rows from before still tell. */
export interface Ends {
  /** All that are remembered, with their ends. */
  readonly causes: readonly PastCause[];
  /**
   * The weight that is left of a failing path which a cause explains that has ended, by four times the
   * entry plus the channel; Infinity for all others. Undefined if there are none.
   */
  readonly weights: Float32Array | undefined;
}

/** The work between two yields, in rows. */
const slice = 4000;

/**
 * Finds which causes of the last runs have ended, and when, from what rows tell. A cause that has ended
 * stays for as long as rows from before may come.
 */
export function* findEnds(input: DiagnosisInput, tally: Tally): Generator<void, Ends> {
  const { previous, now } = input;
  const past = previous?.past ?? [];
  const { own } = tally.observations;
  const times = lookTimes(own);
  const keptMs = own ? freshForMs(own) : 0;
  const isAllWell = tally.badEntries.length === 0;
  const causes: PastCause[] = [];
  let weights: Float32Array | undefined;
  let work = 0;
  for (const cause of past) {
    if (now - (cause.endedMs ?? cause.shownMs) > keptMs) continue;
    if (isAllWell) {
      const { endedMs = now, overMs = now } = cause;
      causes.push({ ...cause, endedMs, overMs });
      continue;
    }
    const subject = subjectOf(cause, tally.index);
    if (!subject) continue;
    work += mayHaveEnded(cause, subject, input, tally) ? tally.observations.observers.length : 1;
    if (work > slice) {
      work = 0;
      yield;
    }
    // Later rows only tell later that it ended.
    const endedMs = cause.endedMs ?? endOf(cause, subject, input, tally, times);
    if (endedMs === undefined) {
      causes.push(cause);
      continue;
    }
    const ended = { ...cause, endedMs, overMs: cause.overMs ?? now };
    causes.push(ended);
    weights ??= new Float32Array(4 * tally.bad.length).fill(Infinity);
    lighten(weights, { ...ended, subject }, input, tally, times);
  }
  return { causes, weights };
}

/**
 * Finds which of the causes that explain what rows tell have ended: an agent that has just started remembers none.
 * @returns undefined if none has
 */
export function* findEndsOf(
  found: Iterable<Cause>,
  known: Ends,
  input: DiagnosisInput,
  tally: Tally,
): Generator<void, Ends | undefined> {
  const times = lookTimes(tally.observations.own);
  const causes: PastCause[] = [];
  let { weights } = known;
  let work = 0;
  for (const cause of found) {
    if (cause.well === 0 || cause.isPartial) continue;
    work += tally.observations.observers.length;
    if (work > slice) {
      work = 0;
      yield;
    }
    const { subject } = cause;
    const one = pastCause(cause, false, input, tally, times);
    const endedMs = endOf(one, subject, input, tally, times);
    if (endedMs === undefined) continue;
    const ended = { ...one, endedMs, overMs: input.now };
    causes.push(ended);
    weights ??= new Float32Array(4 * tally.bad.length).fill(Infinity);
    lighten(weights, { ...ended, subject }, input, tally, times);
  }
  return causes.length === 0 ? undefined : { causes: [...known.causes, ...causes], weights };
}

/** What is remembered of causes for the next run: those that are shown now, and those that were. */
export function* rememberCauses(
  shown: Iterable<{ readonly cause: Cause; readonly isSilent: boolean }>,
  before: readonly PastCause[],
  input: DiagnosisInput,
  tally: Tally,
): Generator<void, readonly PastCause[]> {
  const times = lookTimes(tally.observations.own);
  const past = [...before];
  // There may be thousands, so no text is made of each.
  const goingOn = new Map<string, number[]>();
  for (const [at, { names, endedMs }] of past.entries()) {
    if (endedMs !== undefined) continue;
    const [first = ''] = names;
    const known = goingOn.get(first);
    if (known) known.push(at);
    else goingOn.set(first, [at]);
  }
  let work = 0;
  for (const { cause, isSilent } of shown) {
    work += 20;
    if (work > slice) {
      work = 0;
      yield;
    }
    const { subject, claim, ways } = cause;
    const names = namesOf(subject, input.index);
    const same = goingOn.get(names[0] ?? '')?.find((at) => {
      const one = past[at];
      return one?.claim === claim && one.type === subject.type && one.names[1] === names[1];
    });
    const former = past[same ?? -1];
    const isSettled = former && input.now - former.beganMs > settledMs;
    past[same ?? past.length] = isSettled
      ? { ...former, ways, isSilent, shownMs: input.now }
      : pastCause(cause, isSilent, input, tally, times);
  }
  return past;
}

/** After this time all rows that tell of a beginning have come. */
const settledMs = 60_000;

/** A cause that goes on, as far as is known. */
function pastCause(
  cause: Cause,
  isSilent: boolean,
  { now, index }: DiagnosisInput,
  tally: Tally,
  times: LookTimes,
): PastCause {
  const beganMs = now - 1000 * (beganS(cause, tally, times) ?? 0);
  const { ways } = cause;
  return {
    ...nameCause(cause, index),
    ways,
    isSilent,
    beganMs,
    shownMs: now,
    endedMs: undefined,
    overMs: undefined,
  };
}

/** When the paths of a cause began to fail. */
function beganS({ entries, mask }: Cause, tally: Tally, { hinted }: LookTimes): number | undefined {
  // A cause of thousands of paths is told by some of them.
  const step = Math.max(1, Math.floor((entries.length * sizeOf(mask)) / mostAges));
  const ages: number[] = [];
  let windowS = 0;
  for (let at = 0; at < entries.length; at += step) {
    const entry = entries[at] ?? 0;
    const told = (tally.bad[entry] ?? 0) & mask;
    for (let channel = 0; told >> channel !== 0; channel++) {
      if (((told >> channel) & 1) === 0) continue;
      ages.push(tally.ageS(entry, channel));
      windowS = Math.max(windowS, hinted[channel]?.sweepS ?? 0);
    }
  }
  return beginS(Float64Array.from(ages), windowS + slackS);
}

type Placed = PastCause & { readonly subject: Subject };

const rows = new RowsOfCause();

function endOf(
  past: PastCause,
  subject: Subject,
  input: DiagnosisInput,
  tally: Tally,
  times: LookTimes,
): number | undefined {
  const { now } = input;
  if (!mayHaveEnded(past, subject, input, tally)) return undefined;
  const cause = { ...past, subject };
  rows.clear();
  const isPair = cause.subject.type === 'pair';
  addRows(cause, input, tally);
  const time = slowestOf(cause.claim, isPair ? times.alone : times.hinted);
  const end = fitEnd(rows, (now - cause.beganMs) / 1000, time);
  if (!end || end.gain < (isPair ? leastPairGain : leastGain)) return undefined;
  return now - 1000 * end.endedS;
}

/** Cheap for the thousands of dead nodes that nothing contradicts. */
function mayHaveEnded(
  cause: PastCause,
  subject: Subject,
  input: DiagnosisInput,
  tally: Tally,
): boolean {
  const { claim, isSilent, beganMs } = cause;
  if (subject.type !== 'node') return true;
  for (let channel = 0; channel < 4; channel++) {
    if ((claim >> channel) & 1 && tally.wellTo(subject.node, channel) > 0.5) return true;
  }
  if (!isSilent && cause.ways === 'in') return false;
  const { observers, observerOf, heard } = tally.observations;
  const own = observers[observerOf[subject.node] ?? -1];
  const name = tally.index.nodes[subject.node]?.name ?? '';
  return (
    (own !== undefined && input.now - 1000 * own.ageS > beganMs) ||
    input.now - (input.heardMsAgo.get(name) ?? Infinity) > beganMs ||
    heard.has(subject.node)
  );
}

/** The slowest look time of a mask's channels. */
function slowestOf(claim: number, times: readonly LookTime[]): LookTime {
  const channels = [0, 1, 2, 3].filter((channel) => (claim >> channel) & 1);
  const most = (of: (time: LookTime) => number) =>
    Math.max(...channels.flatMap((channel) => times[channel] ?? []).map(of));
  return { sweepS: most(({ sweepS }) => sweepS), hintedS: most(({ hintedS }) => hintedS) };
}

function addRows(cause: Placed, input: DiagnosisInput, tally: Tally): void {
  const { subject } = cause;
  switch (subject.type) {
    case 'node':
      addRowsOfNode(cause, subject.node, input, tally);
      return;
    case 'pair':
      addRowOfPair(cause, subject.from, subject.to, tally);
      if (cause.ways === 'both') addRowOfPair(cause, subject.to, subject.from, tally);
      return;
    case 'zones':
    case 'group':
    case 'cluster':
      addRowsOfRegion(cause, subject, tally);
  }
}

function addRow(observer: Observer, works: number, fails: number, count = 1): void {
  const paths = works + fails;
  if (paths > 0) rows.add(observer.ageS, (count * works) / paths, (count * fails) / paths);
}

function addRowsOfNode(cause: Placed, node: number, input: DiagnosisInput, tally: Tally): void {
  const { claim, ways, isSilent } = cause;
  const { index, observations } = tally;
  const { observers, observerOf, entries, heard } = observations;
  const hash = index.hashes[node] ?? 0;
  const has = claim & (index.masks[node] ?? 0);
  if (ways !== 'out') {
    const entryOf = new Int32Array(observers.length).fill(-1);
    for (const entry of tally.entriesTo(node))
      entryOf[observerOf[entries.from[entry] ?? 0] ?? -1] = entry;
    for (const [number, observer] of observers.entries()) {
      if (observer.node === node) continue;
      const entry = entryOf[number] ?? -1;
      const bad = entry === -1 ? 0 : (tally.bad[entry] ?? 0);
      const notWell = entry === -1 ? 0 : bad | (entries.unknown[entry] ?? 0);
      let [works, fails] = [0, 0];
      for (let channel = 0; channel < 4; channel++) {
        if (((has >> channel) & 1) === 0) continue;
        if ((bad >> channel) & 1) fails++;
        else if (((notWell >> channel) & 1) === 0 && isCovered(observer.coverage, hash, channel))
          works++;
      }
      addRow(observer, works, fails, 1 + furtherChannel * (works + fails - 1));
    }
  }
  const own = observers[observerOf[node] ?? -1];
  if (own && (ways !== 'in' || isSilent)) {
    const [works, fails] = countOwn(own, claim, tally);
    addRow(own, works, fails, ownRows);
  }
  if (!isSilent) return;
  const latestMs = input.now - cause.beganMs - 1000 * slackS;
  const heardMs = input.heardMsAgo.get(index.nodes[node]?.name ?? '') ?? Infinity;
  if (heardMs < latestMs) rows.add(heardMs / 1000, ownRows, 0);
  for (const { msAgo } of heard.get(node) ?? [])
    if (msAgo < latestMs) rows.add(msAgo / 1000, ownRows, 0);
}

/** How many paths of a node work, and how many fail, by its own row. */
function countOwn(own: Observer, claim: number, tally: Tally): [works: number, fails: number] {
  const { entries } = tally.observations;
  const [first, end] = tally.rangeFrom(own.node);
  let [works, fails] = [0, 0];
  for (let channel = 0; channel < 4; channel++) {
    if (((claim >> channel) & 1) === 0) continue;
    let known = coveredIn(own, tally.index.whole, channel);
    if (known > 0 && tally.coversItself(own, channel)) known--;
    for (let entry = first; entry < end; entry++) {
      const bad = ((tally.bad[entry] ?? 0) >> channel) & 1;
      fails += bad;
      known -= bad | (((entries.unknown[entry] ?? 0) >> channel) & 1);
    }
    works += Math.max(known, 0);
  }
  return [works, fails];
}

function addRowOfPair({ claim }: Placed, from: number, to: number, tally: Tally): void {
  const { observers, observerOf, entries } = tally.observations;
  const observer = observers[observerOf[from] ?? -1];
  if (!observer) return;
  const [first, end] = tally.rangeFrom(from);
  let pair = -1;
  for (let entry = first; entry < end; entry++) if (entries.to[entry] === to) pair = entry;
  const { bad, well } = tally.pair(from, to, pair);
  let [works, fails] = [0, 0];
  for (let channel = 0; channel < 4; channel++) {
    if (((claim >> channel) & 1) === 0) continue;
    works += well[channel] ?? 0;
    fails += bad[channel] ?? 0;
  }
  addRow(observer, works, fails, 1 + furtherChannel * (works + fails - 1));
}

function addRowsOfRegion(cause: Placed, subject: Subject, tally: Tally): void {
  const { claim, ways } = cause;
  const { index, observations } = tally;
  const { observers, observerOf, entries } = observations;
  const isIn = placeOf(subject, ways, index);
  const notWell = new Float64Array(observers.length);
  const fails = new Float64Array(observers.length);
  for (let entry = 0; entry < entries.size; entry++) {
    const bad = (tally.bad[entry] ?? 0) & claim;
    const unknown = (tally.covered[entry] ?? 0) & claim;
    if ((bad | unknown) === 0) continue;
    const from = entries.from[entry] ?? 0;
    if (!isIn(from, entries.to[entry] ?? 0)) continue;
    const observer = observerOf[from] ?? -1;
    fails[observer] = (fails[observer] ?? 0) + sizeOf(bad);
    notWell[observer] = (notWell[observer] ?? 0) + sizeOf(unknown);
  }
  for (const [number, observer] of observers.entries()) {
    let known = 0;
    for (let channel = 0; channel < 4; channel++) {
      if ((claim >> channel) & 1) known += knownIn(observer, subject, ways, channel, tally);
    }
    addRow(observer, Math.max(known - (notWell[number] ?? 0), 0), fails[number] ?? 0);
  }
}

/** How many paths of a region an observer tells of on a channel. */
function knownIn(
  observer: Observer,
  subject: Subject,
  ways: Ways,
  channel: number,
  { index }: Tally,
): number {
  if (subject.type === 'cluster') return coveredIn(observer, index.whole, channel);
  if (subject.type === 'group') return knownOfGroup(observer, subject.group, ways, channel, index);
  if (subject.type !== 'zones') return 0;
  const at = index.zoneOf[observer.node] ?? -1;
  const [first, other] = [index.zones[subject.zone], index.zones[subject.other ?? -1]];
  if (!first) return 0;
  if (subject.other === undefined) {
    const inside = coveredIn(observer, first, channel);
    if (at !== subject.zone) return ways === 'out' ? 0 : inside;
    return ways === 'in' ? 0 : coveredIn(observer, index.whole, channel) - inside;
  }
  if (at === subject.zone && ways !== 'out' && other) return coveredIn(observer, other, channel);
  if (at === subject.other && ways !== 'in') return coveredIn(observer, first, channel);
  return 0;
}

function knownOfGroup(
  observer: Observer,
  group: number,
  ways: Ways,
  channel: number,
  { groups, hashes, whole }: ClusterIndex,
): number {
  const { members = [], has } = groups[group] ?? {};
  const isIn = has?.[observer.node] === 1;
  if (isIn && ways !== 'in') return coveredIn(observer, whole, channel);
  if (ways === 'out') return 0;
  let known = 0;
  for (const node of members) {
    if (node !== observer.node && isCovered(observer.coverage, hashes[node] ?? 0, channel)) known++;
  }
  return known;
}

/** Whether a path is one of a subject, in the direction of a cause. */
function placeOf(
  subject: Subject,
  ways: Ways,
  { zoneOf, groups }: ClusterIndex,
): (from: number, to: number) => boolean {
  const [isTo, isFrom] = [ways !== 'out', ways !== 'in'];
  switch (subject.type) {
    case 'cluster':
      return () => true;
    case 'node': {
      const { node } = subject;
      return (from, to) => (isTo && to === node) || (isFrom && from === node);
    }
    case 'group': {
      const { has } = groups[subject.group] ?? {};
      return (from, to) => (isTo && has?.[to] === 1) || (isFrom && has?.[from] === 1);
    }
    case 'pair': {
      const { from: a, to: b } = subject;
      return (from, to) => (isTo && from === a && to === b) || (isFrom && from === b && to === a);
    }
    case 'zones': {
      const { zone, other } = subject;
      return (from, to) => {
        const [a, b] = [zoneOf[from] ?? -1, zoneOf[to] ?? -1];
        if (a === b) return false;
        if (other === undefined) return (isTo && b === zone) || (isFrom && a === zone);
        return (isTo && a === zone && b === other) || (isFrom && a === other && b === zone);
      };
    }
  }
}

/** Takes the weight of failing paths that a cause explains which has ended, as far as its end does. */
function lighten(
  weights: Float32Array,
  cause: Placed & { readonly endedMs: number; readonly overMs: number },
  { now }: DiagnosisInput,
  tally: Tally,
  times: LookTimes,
): void {
  const { subject, ways, claim } = cause;
  const endedS = (now - cause.endedMs) / 1000;
  const overS = (now - cause.overMs) / 1000;
  const { entries, observers, observerOf } = tally.observations;
  const isPair = subject.type === 'pair';
  // Of a node or zone that was not reached, rows of its own come only now.
  const isIn = placeOf(subject, isPair ? ways : 'both', tally.index);
  const visit = (entry: number): void => {
    const bad = (tally.bad[entry] ?? 0) & claim;
    if (bad === 0) return;
    const from = entries.from[entry] ?? 0;
    if (!isIn(from, entries.to[entry] ?? 0)) return;
    const confirmedS = observers[observerOf[from] ?? -1]?.ageS ?? 0;
    for (let channel = 0; bad >> channel !== 0; channel++) {
      if (((bad >> channel) & 1) === 0) continue;
      const time = (isPair ? times.alone : times.hinted)[channel];
      // What began to fail later is of something else.
      if (!time || tally.ageS(entry, channel) < endedS - time.hintedS - slackS) continue;
      const at = 4 * entry + channel;
      const left = overdueOf(overS, confirmedS, time) / sizeOf(bad);
      weights[at] = Math.min(weights[at] ?? 0, left);
    }
  };
  if (subject.type !== 'node') {
    for (const entry of tally.badEntries) visit(entry);
    return;
  }
  for (const entry of tally.entriesTo(subject.node)) visit(entry);
  const [first, end] = tally.rangeFrom(subject.node);
  for (let entry = first; entry < end; entry++) visit(entry);
}
