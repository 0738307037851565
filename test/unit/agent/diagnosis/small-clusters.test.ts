import { expect, test } from 'vitest';
import { found, idsOf, n, namesOf, numberOf, rowsOf, watching, type PathOf } from './cluster.js';
import { failing, isAt, isFrom, isTo, type Which } from './paths.js';

test('of four nodes one that cannot send is told alone, though one of its paths is told as working', () => {
  const isWrong: Which = (path) => isTo(n(1), 'endpoint', 'icmp')(path);
  const says = failing((path) => isFrom(n(2))(path) && !isWrong(path), { ageSeconds: 770 });
  expect(idsOf(found(4, { says }))).toEqual([`node:${n(2)}`]);
});

test('of four nodes one whose port is filtered is told alone, though one report about it is wrong', () => {
  const isWrong: Which = (path) => isFrom(n(2), 'host', 'http')(path);
  const says = failing((path) => isTo(n(4), 'http')(path) && !isWrong(path), { ageSeconds: 640 });
  expect(idsOf(found(4, { says, without: [n(4)] }))).toEqual([`http-filtered:${n(4)}`]);
});

/** The second zone has two nodes. */
const zones = ['a', 'b', 'a', 'b', 'a', 'a'];
const [first, second] = [n(4), n(2)];

/** What is told where echoes at one node of the second zone, and all that is sent to the other one, have failed for so long. */
function toldOf(echoesS: number, requestsS: number): string[] {
  const says = (path: PathOf) =>
    failing(isAt(first, 'icmp'), { ageSeconds: echoesS })(path) ??
    failing(isTo(second), { ageSeconds: requestsS })(path);
  return idsOf(found(6, { zones, says, without: [second] }));
}

test('two faults at both nodes of a zone are no cut between zones, where one began long before the other', () => {
  expect(toldOf(40, 20).toSorted()).toEqual([`icmp-filtered:${first}`, `node:${second}`]);
});

test('two faults at both nodes of a zone are no cut between zones, where one began seconds before the other', () => {
  const says = (path: PathOf) => {
    const ageSeconds = (path.to === n(1) ? 17 : 12.4) - 0.2 * numberOf(path.from);
    return failing((one) => isTo(n(1), 'endpoint')(one) || isTo(n(2))(one), { ageSeconds })(path);
  };
  const zones = namesOf(12).map((name) => (numberOf(name) <= 2 ? 'b' : 'a'));
  expect(idsOf(found(12, { zones, says, without: [n(2)] })).toSorted()).toEqual([
    `endpoint-plane:${n(1)}`,
    `node:${n(2)}`,
  ]);
});

test('faults at all nodes of a zone are no cuts between it and others, where they began at different times', () => {
  const zones = namesOf(12).map((name) => 'abcd'[numberOf(name) % 4] ?? '');
  const ofZone = [n(4), n(8), n(12)];
  // Fewer rows of each other zone tell of them.
  const filtered = [...ofZone, n(2), n(3)];
  const says = (path: PathOf) => {
    const ageSeconds = 26 - 4 * ofZone.indexOf(path.to) - 0.1 * numberOf(path.from);
    return failing(({ to, protocol }) => filtered.includes(to) && protocol === 'http', {
      ageSeconds,
    })(path);
  };
  const rows = rowsOf(namesOf(12), { row: { httpIntervalMs: 5000, heard: ofZone } });
  expect(idsOf(found(12, { zones, says, rows, without: filtered })).toSorted()).toEqual(
    filtered.map((name) => `http-filtered:${name}`).toSorted(),
  );
});

test('of two nodes that get no requests one does not say that the two are cut: it cannot have heard the other one', () => {
  const zones = namesOf(12).map((name) => 'abcd'[numberOf(name) % 4] ?? '');
  const filtered = [n(1), n(5), n(9)];
  const says = (path: PathOf) =>
    failing(({ to, protocol }) => filtered.includes(to) && protocol === 'http', {
      ageSeconds: 30 - 2 * filtered.indexOf(path.to),
    })(path);
  const rows = rowsOf(namesOf(12), { row: { httpIntervalMs: 5000, heard: filtered } });
  const heardMsAgo = new Map([n(5), n(9)].map((name) => [name, 30_000]));
  const options = { zones, says, rows, without: [n(5), n(9)], input: { heardMsAgo } };
  const { findings } = found(12, options);
  expect(findings).not.toEqual([]);
  expect(findings.filter(({ kind }) => kind === 'pair')).toEqual([]);
});

test('nodes of a zone that were told one by one stay so once their rows are of before', () => {
  const zones = namesOf(12).map((name) => 'abcd'[numberOf(name) % 4] ?? '');
  const ofZone = [n(4), n(8), n(12)];
  const look = watching(12);
  const toldAt = (atS: number, without: readonly string[]) => {
    const says = (path: PathOf) => {
      const ageSeconds = atS - 3 * ofZone.indexOf(path.to) - 0.1 * numberOf(path.from);
      return failing(({ to }) => ofZone.includes(to), { ageSeconds })(path);
    };
    const rows = rowsOf(namesOf(12), { row: { httpIntervalMs: 5000, heard: ofZone } });
    return idsOf(look(atS, { zones, says, rows, without })).toSorted();
  };
  const told = ofZone.map((name) => `node:${name}`).toSorted();
  // Rows of the zone tell that its nodes do not reach each other either.
  for (let atS = 12; atS < 24; atS++) toldAt(atS, []);
  expect(toldAt(24, [])).toEqual(told);
  for (let atS = 24; atS <= 34; atS++) expect(toldAt(atS, ofZone), `${atS} s`).toEqual(told);
});

test('a zone of two nodes that is cut off is told, though a node of it had a fault before', () => {
  const isOut: Which = ({ from, to }) => zoneOf(from) !== zoneOf(to) && zoneOf(to) === 'b';
  const says = (path: PathOf) =>
    isOut(path) && isTo(first, 'icmp')(path)
      ? failing(isOut, { ageSeconds: 80 })(path)
      : failing(isOut, { ageSeconds: 20 })(path);
  expect(idsOf(found(6, { zones, says, without: [first, second] }))).toContain('zones:a,b');
});

const zoneOf = (name: string) => zones[namesOf(6).indexOf(name)];
