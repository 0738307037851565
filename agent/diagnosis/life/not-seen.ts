import { channelNumber } from '../../model/channel.js';
import type { Facts } from '../evidence/observations.js';
import type { Tally } from '../evidence/tally.js';
import type { Finding } from '../nouns/finding.js';
import type { FindingMemory, PastCause } from '../nouns/memory.js';
import type { NamedCause } from '../nouns/named-cause.js';

/**
 * Whether the paths of a finding that is not seen any more fail still, as rows tell: something else explains them now, or
 * one report more or less decided whether it is believed. It has not come and gone then.
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

/** Whether a cause has ended, as other rows tell. It may have begun anew. */
export function hasEnded(cause: NamedCause, past: readonly PastCause[]): boolean {
  const same = past.filter(
    ({ type, channels, names }) =>
      type === cause.type &&
      channels === cause.channels &&
      names.every((name) => cause.names.includes(name)),
  );
  return same.length > 0 && same.every(({ endedMs }) => endedMs !== undefined);
}

/** Whether at least half of a finding's witnesses have no believable row any more. Their silence is no recovery. */
export function lostWitnesses(
  { evidence, looks = [] }: Finding,
  { index, observations: { observerOf } }: Facts,
): boolean {
  const names = new Set([...evidence, ...looks].map(({ from }) => from));
  const witnesses = [...names].flatMap((name) => index.numberOf.get(name) ?? []);
  const lost = witnesses.filter((node) => observerOf[node] === -1).length;
  return lost > 0 && lost * 2 >= witnesses.length;
}
