import { channelsIn } from '../nouns/channel-mask.js';
import { failureCodes, type EntryList } from './entry-list.js';
import { detectRefusedS, detectS } from './time-model.js';

const timeout = failureCodes.indexOf('timeout');

/** Ages in rows are whole seconds: what began to fail is older by some part of one. */
const roundedS = 1;

/**
 * Whether a path worked since a cause began, as another path to the same node failed, and this one answered since: a probe without
 * an answer makes an agent look at the other paths of that node at once (`probing/schedule/scheduler.ts`).
 * @param failing the channels of the entry that fail, as a mask
 * @param channel that of the path, which the observer says works
 * @param beganS when the cause began, in seconds ago
 */
export function answeredSince(
  entries: Pick<EntryList, 'ageS' | 'failureCode' | 'answeredSince'>,
  entry: number,
  failing: number,
  channel: number,
  beganS: number,
): boolean {
  const answered = entries.answeredSince[entry] ?? 0;
  if (answered === 0) return false;
  return channelsIn(failing).some((other) => {
    if (((answered >> (4 * other + channel)) & 1) === 0) return false;
    const isTimeout = entries.failureCode(entry, other) === timeout;
    const failedS = (entries.ageS[4 * entry + other] ?? 0) + (isTimeout ? detectS : detectRefusedS);
    return failedS <= beganS + roundedS;
  });
}
