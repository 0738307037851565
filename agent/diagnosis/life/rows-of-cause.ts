import { isPathOf, knownPaths } from '../evidence/paths-of.js';
import type { Tally } from '../evidence/tally.js';
import { clockErrorS } from '../evidence/time-model.js';
import { sizeOf } from '../nouns/channel-mask.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { PastCause } from '../nouns/memory.js';
import { nodesAt, type Subject } from '../nouns/subject.js';
import type { RowOfCause } from './fit-end.js';

/** Further channels of one row say little more than the first. */
const furtherChannel = 0.2;
/** What a node tells itself or sends counts as two rows: it is about many paths. */
const ownRows = 2;

/** What is known of broken paths in one run. */
export interface Run {
  readonly input: DiagnosisInput;
  readonly tally: Tally;
}

/**
 * What each row tells of the paths of a cause. That of one of its own nodes counts twice for its own paths, which are many.
 * @param oldestS those that were confirmed longer ago, in seconds, are left out
 */
export function rowsOf(
  cause: PastCause,
  subject: Subject,
  { input, tally }: Run,
  oldestS = Infinity,
): RowOfCause[] {
  const rows: RowOfCause[] = [];
  const { channels, isSilent } = cause;
  const most = -Math.log(cause.working.share);
  const { index, observations } = tally;
  const { observers, observerOf, entries, heard } = observations;
  // Whatever a silent node sends ends its cause.
  const ways = isSilent ? 'both' : cause.ways;
  const isPath = isPathOf(subject, ways, index);
  const isOfTwo = subject.type === 'pair' || subject.type === 'groups';
  const ends = new Set(ways === 'in' || isOfTwo ? [] : nodesAt(subject, index));
  const failing = new Float64Array(observers.length);
  const notWell = new Float64Array(observers.length);
  const around = subject.type === 'node' ? tally.entriesOf(subject.node, ways) : undefined;
  const size = around?.length ?? entries.size;
  for (let at = 0; at < size; at++) {
    const entry = around?.[at] ?? at;
    const bad = (tally.bad[entry] ?? 0) & channels;
    const unknown = (tally.covered[entry] ?? 0) & channels;
    if ((bad | unknown) === 0 || !isPath(entries.from[entry] ?? 0, entries.to[entry] ?? 0))
      continue;
    const observer = observerOf[entries.from[entry] ?? 0] ?? -1;
    failing[observer] = (failing[observer] ?? 0) + sizeOf(bad);
    notWell[observer] = (notWell[observer] ?? 0) + sizeOf(unknown);
  }
  const knownOf = knownPaths(subject, ways, channels, index);
  for (const [number, observer] of observers.entries()) {
    if (observer.ageS > oldestS) continue;
    const known = knownOf(observer);
    const [work, fail] = [Math.max(known - (notWell[number] ?? 0), 0), failing[number] ?? 0];
    const paths = work + fail;
    if (paths === 0) continue;
    const isOwn = ends.has(observer.node);
    const isOfNode = subject.type === 'node' || subject.type === 'pair';
    const count = isOwn ? ownRows : isOfNode ? 1 + furtherChannel * (paths - 1) : 1;
    const [works, fails] = [(count * work) / paths, (count * fail) / paths];
    rows.push({ confirmedS: observer.ageS, works, fails, most, paths });
  }
  if (!isSilent || subject.type !== 'node') return rows;
  const latestMs = input.now - cause.beganMs - 1000 * clockErrorS;
  const heardMs = input.heardMsAgo.get(index.nodes[subject.node]?.name ?? '') ?? Infinity;
  for (const msAgo of [heardMs, ...(heard.get(subject.node) ?? []).map((one) => one.msAgo)]) {
    if (msAgo < latestMs)
      rows.push({ confirmedS: msAgo / 1000, works: ownRows, fails: 0, most: Infinity, paths: 1 });
  }
  return rows;
}
