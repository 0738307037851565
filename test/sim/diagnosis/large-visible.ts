import type { ObservedRow } from '../../../agent/diagnosis/nouns/diagnosis-input.js';
import type { Fault } from '../../faults/fault.js';
import type { Conditions } from './scenarios/conditions.js';

/** Whether only large packets meet a fault. */
export function isLargeFault({ trouble }: Fault): boolean {
  return trouble.dropsLarge !== undefined;
}

/** Whether a fresh row tells of large packets that this fault loses. */
export function isLargeSeen(
  { trouble: { dropsLarge } }: Fault,
  rows: readonly ObservedRow[],
  { names }: Conditions,
): boolean {
  const numberOf = new Map(names.map((name, number) => [name, number]));
  return rows.some(
    ({ row, freshness }) =>
      freshness === 'fresh' &&
      (row.large?.lost ?? []).some(({ node, plane }) => {
        const [from, to] = [numberOf.get(row.observer) ?? -1, numberOf.get(node) ?? -1];
        return dropsLarge?.(from, to, plane) === true || dropsLarge?.(to, from, plane) === true;
      }),
  );
}
