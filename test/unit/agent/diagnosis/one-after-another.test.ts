import { expect, test } from 'vitest';
import { n, rowsOf, watching, type PathOf } from './cluster.js';

/** When these nodes began to send nothing, in seconds from the start. */
const beganS: Readonly<Record<string, number>> = { [n(17)]: 0, [n(10)]: 3, [n(7)]: 19 };
const rows = rowsOf([n(7)], { ageMs: 0, bodyAgeMs: 0 });

test('a node that sends nothing still gets what is sent to it once another one sends nothing either', () => {
  const look = watching(40);
  const directionsAt = (atS: number) => {
    const says = ({ from }: PathOf) => {
      const ageSeconds = atS - (beganS[from] ?? Infinity);
      return ageSeconds < 0 ? undefined : { state: 'unreachable' as const, ageSeconds };
    };
    const { findings } = look(atS, { says, rows });
    return findings.map(({ node, direction }) => [node, direction]);
  };
  directionsAt(12);
  const told = [
    [n(17), 'outbound'],
    [n(10), 'outbound'],
  ];
  expect(directionsAt(15)).toEqual(told);
  expect(directionsAt(20)).toEqual(told);
});
