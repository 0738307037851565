import type { ObservedRow } from '../../../agent/diagnosis/nouns/diagnosis-input.js';
import { channelNumber } from '../../../agent/model/channel.js';
import type { RowPath } from '../../../agent/model/row.js';
import type { Fault } from '../../faults/fault.js';
import { isTargetFault } from '../../faults/target-kinds.js';
import { flowLossOf, isSlow, losesLarge, lossOf, probe } from '../../faults/trouble.js';
import type { Conditions } from './scenarios/conditions.js';
import { failingSlots } from './target-visible.js';

/** What one row tells of one node because of a fault: the channels, one bit each, and how old it is. */
export interface Report {
  readonly mask: number;
  /** Those that fail for another fault, so that nobody sees what this one does there. */
  readonly hidden: number;
  /** Of the oldest path. */
  readonly ageS: number;
}

/** Whether some flows meet a fault and the others do not. */
export function isFlowFault({ trouble }: Fault): boolean {
  return trouble.flowLoss !== undefined;
}

/** Whether only large packets meet a fault. */
export function isLargeFault({ trouble }: Fault): boolean {
  return trouble.dropsLarge !== undefined;
}

/** The number of a node by its name; -1 for others. */
export function numbersOf(names: readonly string[]): (name: string) => number {
  const numbers = new Map(names.map((name, number) => [name, number]));
  return (name) => numbers.get(name) ?? -1;
}

/** Whether fresh rows tell of a fault. Nobody can know about one of which none does. */
export function isVisibleIn(rows: readonly ObservedRow[], conditions: Conditions) {
  const reportsOf = reportsIn(rows, conditions);
  return (fault: Fault): boolean => {
    if (isLargeFault(fault)) return isLargeSeen(fault, rows, conditions);
    if (isTargetFault(fault)) return failingSlots(fault, rows, conditions).size > 0;
    return reportsOf(fault).next().done !== true;
  };
}

/** The reports in fresh rows of paths that fail because of a fault only. */
export function reportsIn(rows: readonly ObservedRow[], { names, troubles }: Conditions) {
  const fresh = rows.filter(({ freshness }) => freshness === 'fresh');
  const numberOf = numbersOf(names);
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
      const from = numberOf(row.observer);
      const byTarget = new Map<number, Report>();
      const failing = new Map<number, number>();
      for (const path of row.paths) {
        const to = numberOf(path.node);
        const ageS = path.ageSeconds + ageMs / 1000;
        const bit = 1 << channelNumber(path.plane, path.protocol);
        if (path.state === 'unreachable') failing.set(to, (failing.get(to) ?? 0) | bit);
        if (!isAbout(from, to) || ageS > faultAgeS + 1 || !isBecauseOf(from, to, path)) continue;
        const { mask, ageS: oldestS } = byTarget.get(to) ?? { mask: 0, ageS: 0 };
        byTarget.set(to, { mask: mask | bit, hidden: 0, ageS: Math.max(oldestS, ageS) });
      }
      for (const [to, report] of byTarget)
        yield { ...report, hidden: (failing.get(to) ?? 0) & ~report.mask };
    }
  };
}

/** Whether a fresh row tells of large packets that this fault loses. */
function isLargeSeen(
  { trouble }: Fault,
  rows: readonly ObservedRow[],
  { names }: Conditions,
): boolean {
  const numberOf = numbersOf(names);
  return rows.some(
    ({ row, freshness }) =>
      freshness === 'fresh' &&
      (row.large?.lost ?? []).some(({ node, plane }) =>
        losesLarge(trouble, numberOf(row.observer), numberOf(node), plane),
      ),
  );
}
