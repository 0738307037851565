import type { ObservedRow } from '../../../agent/diagnosis/nouns/diagnosis-input.js';
import { channelNumber } from '../../../agent/model/channel.js';
import type { RowPath } from '../../../agent/model/row.js';
import type { Fault } from '../../faults/fault.js';
import { flowLossOf, isSlow, lossOf, probe } from '../../faults/trouble.js';
import type { Conditions } from './scenarios/conditions.js';

/** What one row tells of one node because of a fault: the channels, one bit each, and how old it is. */
export interface Report {
  readonly mask: number;
  /** Of the oldest path. */
  readonly ageS: number;
}

/**
 * The reports in fresh rows of paths that fail because of a fault only. Nobody can know about a fault
 * without any.
 */
export function reportsIn(rows: readonly ObservedRow[], { names, troubles }: Conditions) {
  const fresh = rows.filter(({ freshness }) => freshness === 'fresh');
  const numberOf = new Map(names.map((name, number) => [name, number]));
  return function* reportsOf({ trouble, nodes }: Fault): Generator<Report, void> {
    const others = troubles.flatMap((other) => (other.trouble === trouble ? [] : [other.trouble]));
    const faultAgeS = troubles.find((one) => one.trouble === trouble)?.ageS ?? 0;
    // Several faults may share one trouble. Each of them has nodes of its own.
    const isAbout = (from: number, to: number) =>
      trouble.touches(from, to) && (nodes.length !== 1 || nodes[0] === from || nodes[0] === to);
    const isBecauseOf = (from: number, to: number, { plane, protocol, state }: RowPath) => {
      if (state === 'unreachable') {
        return (
          probe([trouble], from, to, plane, protocol) !== undefined &&
          probe(others, from, to, plane, protocol) === undefined
        );
      }
      const isIn = (of: typeof others) =>
        state === 'lossy'
          ? lossOf(of, from, to, plane) > 0 ||
            (protocol === 'http' && flowLossOf(of, from, to, plane) > 0)
          : isSlow(of, from, to, plane);
      return isIn([trouble]) && !isIn(others);
    };
    for (const { row, ageMs } of fresh) {
      const from = numberOf.get(row.observer) ?? -1;
      const byTarget = new Map<number, Report>();
      for (const path of row.paths) {
        const to = numberOf.get(path.node) ?? -1;
        const ageS = path.ageSeconds + ageMs / 1000;
        if (!isAbout(from, to) || ageS > faultAgeS + 1 || !isBecauseOf(from, to, path)) continue;
        const { mask, ageS: oldestS } = byTarget.get(to) ?? { mask: 0, ageS: 0 };
        const bit = 1 << channelNumber(path.plane, path.protocol);
        byTarget.set(to, { mask: mask | bit, ageS: Math.max(oldestS, ageS) });
      }
      yield* byTarget.values();
    }
  };
}
