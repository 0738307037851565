import { lateAnswerMs } from '../evidence/hearing.js';
import { observerAt, type Facts } from '../evidence/observations.js';
import { chanceOfNone } from '../evidence/silence.js';
import type { Tally } from '../evidence/tally.js';
import {
  apartS,
  clockErrorS,
  detectS,
  mostOverdue,
  overdueOf,
  roundedS,
} from '../evidence/time-model.js';
import type { Cause } from '../nouns/cause.js';
import { channelsIn } from '../nouns/channel-mask.js';
import type { LivesSince } from '../nouns/memory.js';

/** A silence is chance if no more than this speaks against it, in natural logarithms: one of three nodes that run is silent for as long. */
const mostChance = 1;
/** A silence of which no more speaks against chance is certain. */
const mostSilent = 4.6;
/** Once so much more speaks for it that its paths fail on, nothing that is told later changes it. */
const leastMargin = 4.6;
/** The last probe of a verdict was sent so long before it. */
const lastProbeS = 1;

/** What tells whether a node with failing paths that is heard ran all the while. */
interface HeardAgain {
  readonly since: LivesSince | undefined;
  /** It may have stood still until it was heard, and then its trouble ended with that. */
  readonly mayBeBack: boolean;
}

/**
 * A node's own GETs say that it lives when they come. Where it was silent before, it may have stood still until then, and what
 * failed before says nothing of the time since: that its paths fail on must be about as sure as that it was silent.
 * @param beganMs how long ago its trouble began
 * @param firstMsAgo how long ago its first GET since then came, or a row of it; 0 if none did
 */
export function heardAgain(
  cause: Cause,
  { input, index, localNode }: Facts,
  tally: Tally,
  beganMs: number,
  firstMsAgo: number,
): HeardAgain {
  const { subject, trouble, ways } = cause;
  const isOfOther = subject.type === 'node' && subject.node !== localNode;
  if (!isOfOther || trouble !== 'broken' || ways !== 'in') return notAsked;
  const { previous, now } = input;
  const before = previous?.livesSince.get(index.nodes[subject.node]?.name ?? '');
  const isOfThis = before && now - (before.heardMs ?? now) < beganMs + 1000 * apartS;
  const known = isOfThis ? before : undefined;
  if (known?.isLasting || (firstMsAgo === 0 && known?.heardMs === undefined))
    return { since: known ?? unheard, mayBeBack: false };
  const heardMs = Math.min(now - firstMsAgo, known?.heardMs ?? Infinity);
  // Who was heard as soon as its trouble was known was not silent, as far as can be told.
  if (!known) return { since: { heardMs, isLasting: true }, mayBeBack: false };
  const margin = goingOn(cause, tally, beganMs / 1000, (now - heardMs) / 1000);
  return { since: { heardMs, isLasting: margin >= leastMargin }, mayBeBack: margin < -mostChance };
}

const unheard: LivesSince = { heardMs: undefined, isLasting: false };
/** Of what is no node that others do not reach. */
export const notAsked: HeardAgain = { since: undefined, mayBeBack: false };

/**
 * How much more speaks for it that the paths to a node fail on than that they work again since it was heard, in natural logarithms of
 * odds: those that still fail, against a silence that a node that runs would have broken.
 */
function goingOn(
  { entries, knownChannels }: Cause,
  tally: Tally,
  beganS: number,
  heardS: number,
): number {
  const { observations, times } = tally;
  const timesThere = tally.timesAtNodes(beganS);
  // The first probes of a verdict were lost before it, and a GET from before may be read late.
  const unheardS = beganS + detectS - lateAnswerMs / 1000;
  let [silent, failing] = [0, 0];
  for (const entry of entries) {
    const observer = observerAt(observations, observations.entries.from[entry] ?? -1);
    if (!observer) continue;
    const untilS = Math.max(heardS + clockErrorS, observer.ageS);
    silent -= Math.log(chanceOfNone((unheardS - untilS) / times.intervalS));
    let most = 0;
    for (const channel of channelsIn((tally.bad[entry] ?? 0) & knownChannels)) {
      const time = timesThere[channel];
      const isLater = tally.ageS(entry, channel) + roundedS + lastProbeS < heardS;
      const overdue = isLater || !time ? mostOverdue : overdueOf(heardS, observer.ageS, time);
      most = Math.max(most, overdue);
    }
    failing += most;
  }
  return failing - Math.min(silent, mostSilent);
}
