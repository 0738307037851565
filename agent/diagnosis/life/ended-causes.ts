import { freshForMs } from '../../model/row.js';
import { observerAt } from '../evidence/observations.js';
import { isPathOf, timesOf } from '../evidence/paths-of.js';
import type { Tally } from '../evidence/tally.js';
import { clockErrorS, overdueOf } from '../evidence/time-model.js';
import { channelsIn, sizeOf } from '../nouns/channel-mask.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { PastCause } from '../nouns/memory.js';
import { subjectOf } from '../nouns/named-cause.js';
import { paced } from '../nouns/steps.js';
import type { Subject } from '../nouns/subject.js';
import type { ExplainedTrouble } from '../search/explain-trouble.js';
import { endOf, mayHaveEnded } from './end-of-cause.js';
import type { Run } from './rows-of-cause.js';
import { beganMsOf, pastCause } from './remembered-causes.js';

/** What causes that have ended explain of what rows from before still tell. */
export interface Ends {
  readonly causes: readonly PastCause[];
  /** What is left of a failing path's weight, by four times the entry plus the channel: Infinity where no ended cause explains it. Undefined without any. */
  readonly weights: Float32Array | undefined;
}

/** The work between two yields, in rows. */
const slice = 4000;
/** A row of a node that sends none may still come so long after a cause there ended. Without an agent none ever comes. */
const mostSilentMs = 600_000;

/** Finds which causes of the last runs have ended, and when. One that has ended stays for as long as rows from before may come. */
export function* findEnds(run: Run): Generator<void, Ends> {
  const { input, tally } = run;
  const { previous, now } = input;
  const past = previous?.past ?? [];
  const { own } = tally.observations;
  // A row that was confirmed an interval after the end may not have looked since, and then it is fresh.
  const keptMs = own ? freshForMs(own) + own.httpIntervalMs : 0;
  const kept = past
    .map((cause) => (mayComeLate(cause, now, tally) ? { ...cause, shownMs: now } : cause))
    .filter(({ endedMs = 0, shownMs }) => now - Math.max(endedMs, shownMs) <= keptMs);
  if (tally.badEntries.length === 0) {
    const ended = ({ endedMs = now, overMs = now }: PastCause) => ({ endedMs, overMs });
    return { causes: kept.map((cause) => ({ ...cause, ...ended(cause) })), weights: undefined };
  }
  return yield* endsOf(kept, undefined, run);
}

/** Which of some causes have ended, and what their ends leave of the weights. */
function* endsOf(
  past: Iterable<PastCause>,
  known: Ends['weights'],
  run: Run,
): Generator<void, Ends> {
  const { input, tally } = run;
  const causes: PastCause[] = [];
  let weights = known;
  const isEnough = paced(slice);
  const { length } = tally.observations.observers;
  for (const cause of past) {
    const subject = subjectOf(cause, tally.index);
    if (!subject) continue;
    if (isEnough(mayHaveEnded(cause, subject, run) ? length : 1)) yield;
    // Later rows only tell later that it ended.
    const { endedMs, failing } = cause.endedMs === undefined ? endOf(cause, subject, run) : cause;
    const ended = endedMs !== undefined && { ...cause, endedMs, overMs: cause.overMs ?? input.now };
    causes.push(ended || (failing === cause.failing ? cause : { ...cause, failing }));
    if (ended) weights = lightened(weights, ended, subject, run);
  }
  return { causes, weights };
}

/** Whether a cause has ended at a node that sends no row, so that one of before may come long after. */
function mayComeLate(
  { type, names, endedMs }: PastCause,
  now: number,
  { index, observations }: Tally,
): boolean {
  if (type !== 'node' || endedMs === undefined || now - endedMs > mostSilentMs) return false;
  return observations.observerOf[index.numberOf.get(names[0] ?? '') ?? -1] === -1;
}

/** The same of the causes that explain what rows tell: an agent that has just started remembers none. Undefined if none has ended. */
export function* findEndsOf(
  known: Ends,
  input: DiagnosisInput,
  explained: Pick<ExplainedTrouble, 'tally' | 'explanation'>,
): Generator<void, Ends | undefined> {
  const { tally, explanation } = explained;
  function* found() {
    for (const cause of explanation.causes)
      if (cause.well !== 0 && !cause.isPartial)
        yield pastCause(cause, beganMsOf(cause, input, explained), input);
  }
  const { causes, weights } = yield* endsOf(found(), known.weights, { input, tally });
  const ended = causes.filter(({ endedMs }) => endedMs !== undefined);
  return ended.length === 0 ? undefined : { causes: [...known.causes, ...ended], weights };
}

/** Takes the weight of failing paths that a cause explains which has ended, as far as its end does. */
function lightened(
  known: Float32Array | undefined,
  cause: PastCause & { readonly endedMs: number; readonly overMs: number },
  subject: Subject,
  { input: { now }, tally }: Run,
): Float32Array {
  const weights = known ?? new Float32Array(4 * tally.bad.length).fill(Infinity);
  const { ways, channels } = cause;
  const endedS = (now - cause.endedMs) / 1000;
  const overS = (now - cause.overMs) / 1000;
  const { entries } = tally.observations;
  const times = timesOf(subject, ways, channels, (now - cause.beganMs) / 1000, tally);
  // Of who was not reached, rows come only now.
  const isPath = isPathOf(subject, 'both', tally.index);
  const failing =
    subject.type === 'node' ? tally.entriesOf(subject.node, 'both') : tally.badEntries;
  for (const entry of failing) {
    const bad = (tally.bad[entry] ?? 0) & channels;
    const from = entries.from[entry] ?? 0;
    if (bad === 0 || !isPath(from, entries.to[entry] ?? 0)) continue;
    const confirmedS = observerAt(tally.observations, from)?.ageS ?? 0;
    for (const channel of channelsIn(bad)) {
      const time = times[channel];
      // What began to fail later is of something else.
      if (!time || tally.ageS(entry, channel) < endedS - time.hintedS - clockErrorS) continue;
      const at = 4 * entry + channel;
      const left = overdueOf(overS, confirmedS, time) / sizeOf(bad);
      weights[at] = Math.min(weights[at] ?? 0, left);
    }
  }
  return weights;
}
