import { describe, expect, test } from 'vitest';
import { observe } from '../../../../../agent/diagnosis/evidence/observations.js';
import { indexCluster } from '../../../../../agent/diagnosis/nouns/cluster-index.js';
import type { DiagnosisInput } from '../../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { finished } from '../../../../../agent/diagnosis/nouns/steps.js';
import type { Row } from '../../../../../agent/model/row.js';
import { pathsTo } from '../../../../rows/make-row.js';
import {
  clusterOf,
  makeNodes,
  n,
  namesOf,
  numberOf,
  type PathOf,
  type Saying,
} from '../cluster.js';

const size = 16;
/** So many nodes fail on all paths. */
const isOfMany = (name: string) => numberOf(name) > 6;

const says = ({ from, to, plane, protocol }: PathOf): Saying => {
  if (to === n(1)) return { state: 'unreachable', ageSeconds: 9, failure: 'timeout' };
  if (to === n(5) && plane === 'host')
    return {
      state: 'unreachable',
      ageSeconds: 40,
      failure: protocol === 'http' ? 'refused' : 'timeout',
    };
  if (to === n(6)) return { state: from === n(2) ? 'lossy' : 'slow', ageSeconds: 7 };
  if (to === n(4) && protocol === 'icmp') return 'unknown';
  return isOfMany(to) && from !== n(4) ? 'unreachable' : undefined;
};
const leavesOut = { row: { omittedNodes: 2, heard: [n(3), n(5), 'c/gone'] } };
const without = namesOf(size).filter(isOfMany);
const input = clusterOf(size, { says, without, rows: { [n(2)]: leavesOut, [n(3)]: leavesOut } });

/** The same rows, and how often the paths of each were taken. */
function counted({ rows, ...rest }: DiagnosisInput) {
  const taken = new Map<string, number>();
  const all = [...rows].map((observed) => {
    const { paths, ...row } = observed.row;
    return {
      ...observed,
      row: Object.defineProperty(row, 'paths', {
        get: () => {
          taken.set(row.observer, (taken.get(row.observer) ?? 0) + 1);
          return paths;
        },
      }) as typeof observed.row,
    };
  });
  return { taken, input: { ...rest, rows: all } };
}

const read = (of: DiagnosisInput) => finished(observe(of));
/** What was read, as if each row had been read for the first time. */
const readAnew = (of: DiagnosisInput) => read({ ...of, index: indexCluster(makeNodes(size)) });

describe('a row with paths', () => {
  test('is unpacked once, and says the same in the next run', () => {
    const { taken, input: first } = counted(input);
    read(first);
    const before = new Map(taken);
    const later = {
      ...first,
      rows: first.rows.map((one) => ({ ...one, ageMs: 500, bodyAgeMs: 12_345 })),
    };
    const again = read(later);
    const unpacked = [...taken].filter(([name, times]) => times > (before.get(name) ?? 0));
    // The own one is always read.
    expect(unpacked.map(([name]) => name)).toEqual([n(1)]);
    const anew = readAnew(later);
    expect(again).toEqual(anew);
    expect(again.heard.get(4)).toHaveLength(2);
    const { entries } = again;
    expect(entries.ageS.slice(0, 4 * entries.size)).toEqual(
      anew.entries.ageS.slice(0, 4 * entries.size),
    );
  });

  test('is read again once another one has come', () => {
    read(input);
    const other = clusterOf(size, {
      without,
      says: ({ to }) => (to === n(3) || numberOf(to) > 8 ? 'unreachable' : undefined),
      rows: { [n(2)]: leavesOut },
      input: { index: input.index },
    });
    expect(read(other)).toEqual(readAnew(other));
  });

  test('is read again by an agent that has just started, which others failed to reach before', () => {
    read(input);
    const started = { ...input, uptimeMs: 5000 };
    const { entries, observerOf, firstOf } = read(started);
    const first = firstOf[observerOf[1] ?? -1] ?? -1;
    expect(entries.to[first]).toBe(0);
    expect([entries.fail[first], entries.unknown[first]]).toEqual([0, 15]);
    expect(read(started)).toEqual(readAnew(started));
  });

  test('is read whole where it tells of flows, or of parts of seconds', () => {
    const sayings: Saying[] = [
      { state: 'lossy', flows: { tried: 16, failing: 3, sometimes: 0 } },
      { state: 'unreachable', ageSeconds: 1.25 },
    ];
    for (const saying of sayings) {
      const other = clusterOf(size, {
        without,
        says: ({ to, protocol }) =>
          to === n(5) && protocol === 'http' ? saying : isOfMany(to) ? 'unreachable' : undefined,
        rows: { [n(2)]: leavesOut },
        input: { index: input.index },
      });
      read(other);
      expect(read(other)).toEqual(readAnew(other));
    }
  });
});

test('a row without paths is read once too, and says the same in the next run', () => {
  const { taken, input: well } = counted(clusterOf(size, { says: () => undefined }));
  read(well);
  taken.clear();
  const again = read(well);
  expect([...taken.keys()]).toEqual([n(1)]);
  expect(again).toEqual(readAnew(well));
  expect(again.observers).toHaveLength(size);
});

describe('a row of a peer', () => {
  const failing = (node: string) => pathsTo(node, () => ({ state: 'unreachable', ageSeconds: 9 }));
  const readOf = (row: Partial<Row>) => {
    const { observerOf, firstOf, entries, heard } = read(
      clusterOf(size, { rows: { [n(2)]: { row } }, says: () => undefined }),
    );
    const observer = observerOf[1] ?? -1;
    const [first, end] = [firstOf[observer], firstOf[observer + 1]];
    return {
      to: [...entries.to.slice(first, end)],
      fail: [...entries.fail.slice(first, end)],
      heard,
    };
  };

  test('says nothing of paths of its observer to itself, nor that it hears itself', () => {
    const { to, fail, heard } = readOf({
      paths: [...failing(n(3)), ...failing(n(2))],
      heard: [n(2), n(3)],
    });
    expect([to, fail]).toEqual([[2], [15]]);
    expect([...heard.keys()]).toEqual([2]);
  });

  test('need not keep the paths of a node together', () => {
    const [one, other] = [failing(n(3)), failing(n(4))];
    const mixed = one.flatMap((path, at) => [path, ...other.slice(at, at + 1)]);
    expect(readOf({ paths: mixed })).toMatchObject({ to: [2, 3], fail: [15, 15] });
  });

  test('counts once, the first time', () => {
    const [of, again] = [{ paths: failing(n(3)) }, { paths: failing(n(4)) }].map((row) =>
      clusterOf(size, { rows: { [n(2)]: { row } }, says: () => undefined }),
    );
    if (!of || !again) throw new Error('expected two inputs');
    const { observers, entries } = read({ ...of, rows: [...of.rows, ...again.rows] });
    expect(observers).toHaveLength(size);
    expect([...entries.to.slice(0, entries.size)]).toEqual([2]);
  });
});
