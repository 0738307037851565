import { channelNumber } from '../../model/channel.js';
import type { Tally } from '../evidence/tally.js';
import type { FindingMemory, PastCause } from '../nouns/memory.js';
import type { NamedCause } from '../nouns/named-cause.js';

/**
 * Whether the paths of a finding that is not seen any more fail still, as rows tell: something else explains them now, or
 * one report more or less decided whether it is believed. It has not come and gone then.
 * @param past the causes of the last runs
 */
export function stillFails(
  { finding, causes, isUnended }: FindingMemory,
  past: readonly PastCause[],
  tally: Tally,
): boolean {
  if (causes.some((cause) => hasEnded(cause, past))) return false;
  if (!finding) return isUnended;
  const { numberOf } = tally.index;
  return finding.evidence.some(({ from, to, plane, protocol }) => {
    const entry = tally.entryOf(numberOf.get(from) ?? -1, numberOf.get(to) ?? -1);
    return (((tally.bad[entry] ?? 0) >> channelNumber(plane, protocol)) & 1) === 1;
  });
}

/** A cause may have ended and begun anew. */
function hasEnded(cause: NamedCause, past: readonly PastCause[]): boolean {
  const same = past.filter(
    ({ type, channels, names }) =>
      type === cause.type &&
      channels === cause.channels &&
      names.every((name) => cause.names.includes(name)),
  );
  return same.length > 0 && same.every(({ endedMs }) => endedMs !== undefined);
}
