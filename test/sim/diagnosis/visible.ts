import type { ObservedRow } from '../../../agent/diagnosis/diagnosis-input.js';
import type { Fault } from './faults/fault.js';
import { isSlow, lossOf, probe } from './network.js';
import type { Conditions } from './scenarios/conditions.js';

/**
 * Whether a fresh row shows a path that fails because of this fault only. Otherwise nobody can know
 * about the fault.
 */
export function isSeen(rows: readonly ObservedRow[], { names, troubles }: Conditions) {
  const fresh = rows.filter(({ freshness }) => freshness === 'fresh');
  const numberOf = new Map(names.map((name, number) => [name, number]));
  return ({ trouble, nodes }: Fault): boolean => {
    const others = troubles.flatMap((other) => (other.trouble === trouble ? [] : [other.trouble]));
    const ageS = troubles.find((one) => one.trouble === trouble)?.ageS ?? 0;
    // Several faults may share one trouble. Each of them has nodes of its own.
    const isAbout = (from: number, to: number) =>
      trouble.touches(from, to) && (nodes.length !== 1 || nodes[0] === from || nodes[0] === to);
    return fresh.some(({ row, ageMs }) => {
      const from = numberOf.get(row.observer) ?? -1;
      return row.paths.some(({ node, plane, protocol, state, ageSeconds }) => {
        const to = numberOf.get(node) ?? -1;
        if (!isAbout(from, to) || ageSeconds + ageMs / 1000 > ageS + 1) return false;
        if (state === 'unreachable') {
          return (
            probe([trouble], from, to, plane, protocol) !== undefined &&
            probe(others, from, to, plane, protocol) === undefined
          );
        }
        const isIn = (of: typeof others) =>
          state === 'lossy' ? lossOf(of, from, to, plane) > 0 : isSlow(of, from, to, plane);
        return isIn([trouble]) && !isIn(others);
      });
    });
  };
}
