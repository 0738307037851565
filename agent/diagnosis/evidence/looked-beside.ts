import type { EntryList } from './entry-list.js';
import { failureCodes } from './entry-list.js';
import type { Observer } from './observations.js';
import { detectRefusedS, detectS, suspectS, type ProbeTimes } from './time-model.js';
import { channelsIn } from '../nouns/channel-mask.js';

const timeout = failureCodes.indexOf('timeout');

/** Ages in rows are whole seconds: what began to fail is older by some part of one. */
const roundedS = 1;

/** What is known of an observer that sees another path to a node fail. */
export interface Beside {
  readonly entries: Pick<EntryList, 'ageS' | 'failureCode' | 'from'>;
  /** The entry, and the channels of it that fail, as a mask. */
  readonly entry: number;
  readonly failing: number;
  readonly observer: Pick<Observer, 'ageS' | 'coverage'>;
  /** Of how many nodes its row names paths: it looks at one after the other. */
  readonly named: number;
  readonly times: Pick<ProbeTimes, 'queuedS'>;
}

/**
 * The probability that an observer has probed a path since a cause began, and told so, because another path to the same node
 * failed: a probe without an answer makes an agent look at the same address by the other protocol, and at the node's other
 * address by the same one (`probing/schedule/scheduler.ts`).
 * @param channel that of the path, which the observer says works
 * @param beganS when the cause began, in seconds ago
 */
export function lookedBesideShare(
  { entries, entry, failing, observer, named, times }: Beside,
  channel: number,
  beganS: number,
): number {
  // Of a row that leaves nodes out it is not known how many others its agent looks at.
  if (observer.coverage.horizons[channel] !== Infinity) return 0;
  let share = 0;
  for (const other of channelsIn(failing & besideMask(channel))) {
    const isTimeout = entries.failureCode(entry, other) === timeout;
    const firstS =
      (entries.ageS[4 * entry + other] ?? 0) + (isTimeout ? detectS - suspectS : detectRefusedS);
    const queuedS = times.queuedS(named, channel, other === (channel ^ 1));
    const lookedS = firstS - queuedS;
    // Its turn may have come at any time until then: before the cause began, if the other path failed long before.
    const sinceBegin = (beganS + roundedS - lookedS) / (roundedS + queuedS);
    // Who has just seen a failure tells others, who ask for its row: many are written just then.
    const sinceVerdict = (lookedS - detectS - observer.ageS) / roundedS;
    share = Math.max(share, Math.min(sinceBegin, sinceVerdict));
  }
  return Math.min(share, 1);
}

/** The channels at which a failure makes an agent look at this one: the other protocol, and the other plane. */
function besideMask(channel: number): number {
  return (1 << (channel ^ 1)) | (1 << (channel ^ 2));
}
