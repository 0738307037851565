import { expect, test } from 'vitest';
import type { RowFamily } from '../../../../../agent/model/row.js';
import { found, namesOf, numberOf, rowsOf, start } from '../cluster.js';

type Options = NonNullable<Parameters<typeof found>[1]>;

const ipv6 = (protocol: 'icmp' | 'http', unreachable: number, reachable: number): RowFamily => ({
  family: 'ipv6',
  plane: 'host',
  protocol,
  reachable,
  unreachable,
  unknown: 0,
});

/** The findings of six nodes, whose rows have counted these second addresses for six seconds. */
function counted(families: (node: number) => readonly RowFamily[], more: Options = {}) {
  const rows = rowsOf(namesOf(6), (name) => ({ row: { families: families(numberOf(name)) } }));
  const previous = found(6, { rows, ...more });
  return found(6, { rows, ...more, input: { previous, now: start + 6000 } }).findings;
}

test('a second family that fails for most observers is a finding, with what was counted', () => {
  const [finding, ...others] = counted(() => [ipv6('icmp', 0, 5), ipv6('http', 5, 0)]);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    id: 'address-family:ipv6:host',
    kind: 'address-family',
    severity: 'broken',
    family: 'ipv6',
    plane: 'host',
    protocols: ['http'],
    seenBy: { failing: 6, of: 6 },
    explains: 30,
    text: 'none of 6 nodes can reach most nodes at their second, IPv6 addresses by HTTP (paths that fail: 30 of 30 by HTTP); the first addresses answer',
  });
});

test('one finding is for both protocols of a plane, and counts only who sees most fail', () => {
  const all = counted((node) =>
    node === 1
      ? [ipv6('icmp', 1, 4), ipv6('http', 1, 4)]
      : [ipv6('icmp', 5, 0), ipv6('http', 4, 1)],
  );
  expect(all.map(({ text }) => text)).toEqual([
    '5 of 6 nodes cannot reach most nodes at their second, IPv6 addresses (paths that fail: 25 of 25 by ICMP, 20 of 25 by HTTP); the first addresses answer',
  ]);
});

test('it is none where one observer alone sees it, or few of the addresses fail', () => {
  expect(counted((node) => [ipv6('icmp', node === 3 ? 5 : 0, node === 3 ? 0 : 5)])).toEqual([]);
  expect(counted(() => [ipv6('icmp', 2, 3)])).toEqual([]);
  expect(counted(() => [{ ...ipv6('icmp', 0, 0), unknown: 5 }])).toEqual([]);
});

test('it is none where few nodes have such an address, whatever share of those fails', () => {
  expect(counted(() => [ipv6('http', 1, 0)])).toEqual([]);
  expect(counted(() => [ipv6('http', 2, 0)])).toEqual([]);
  expect(counted(() => [ipv6('http', 3, 0)])).toMatchObject([{ kind: 'address-family' }]);
  // Of two nodes each knows one, and that is no most.
  const rows = rowsOf(namesOf(2), () => ({ row: { families: [ipv6('http', 1, 0)] } }));
  const previous = found(2, { rows });
  expect(found(2, { rows, input: { previous, now: start + 6000 } }).findings).toEqual([]);
});

test('where the first addresses fail as well, these are told', () => {
  const all = counted(() => [ipv6('icmp', 5, 0), ipv6('http', 5, 0)], {
    says: ({ plane }) => (plane === 'host' ? 'unreachable' : undefined),
  });
  expect(all.map(({ kind }) => kind)).not.toContain('address-family');
  expect(all).not.toEqual([]);
});
