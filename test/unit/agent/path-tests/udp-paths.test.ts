import { expect, test } from 'vitest';
import {
  UdpPaths,
  windowMs,
  type UdpEntry,
  type UdpPath,
} from '../../../../agent/path-tests/udp/udp-paths.js';

const pathTo = (number: number, plane: UdpPath['plane'] = 'host'): UdpPath => {
  const ip = `192.0.2.${number}`;
  return { node: `c/n${number}`, plane, ip, sources: new Set([ip]) };
};

/** A train of eight of which the peer answers so many. */
function train(paths: UdpPaths, entry: UdpEntry, ms: number, answers: number): void {
  paths.mark(entry, ms);
  const sequences = Array.from({ length: 8 }, () => entry.counts.send());
  for (const sequence of sequences.slice(0, answers)) {
    paths.take(entry, { sequence, counter: sequence, epoch: 1 }, { ms, at: ms });
  }
  entry.counts.settle();
}

function onePath() {
  const paths = new UdpPaths();
  paths.setPaths([pathTo(1)]);
  const entry = paths.next(0);
  if (!entry) throw new Error('expected a path');
  return { paths, entry, of: (ms: number) => paths.of(pathTo(1), ms) };
}

test('each path is tested once in a round, and a round takes ten seconds', () => {
  const paths = new UdpPaths();
  paths.setPaths([pathTo(1), pathTo(2)]);
  const next = (ms: number) => paths.next(ms)?.path.node;
  expect([next(0), next(250), next(500), next(9999)]).toEqual([
    'c/n1',
    'c/n2',
    undefined,
    undefined,
  ]);
  expect([next(10_000), next(10_250)]).toEqual(['c/n1', 'c/n2']);
});

test('a path that has gone is neither tested nor known, and its session is none', () => {
  const paths = new UdpPaths();
  paths.setPaths([pathTo(1), pathTo(2)]);
  const first = paths.next(0);
  paths.setPaths([pathTo(1)]);
  expect([paths.next(250), paths.of(pathTo(2), 250)]).toEqual([undefined, undefined]);
  expect(paths.bySession(first?.session ?? '')).toBe(first);
  paths.setPaths([]);
  expect(paths.bySession(first?.session ?? '')).toBeUndefined();
});

test('what was counted leaves the window', () => {
  const { paths, entry, of } = onePath();
  train(paths, entry, 0, 6);
  train(paths, entry, 300_000, 8);
  expect(of(300_000)).toMatchObject({ sent: 16, lost: 2 });
  expect(of(windowMs - 1)).toMatchObject({ sent: 16, lost: 2 });
  expect(of(windowMs)).toMatchObject({ sent: 8, lost: 0 });
  expect(of(300_000 + windowMs)).toMatchObject({ sent: 0, lost: 0, answeredAt: 300_000 });
});

test('as many marks are kept as the window has steps', () => {
  const { paths, entry } = onePath();
  for (let ms = 0; ms < 3 * windowMs; ms += 10_000) train(paths, entry, ms, 8);
  expect(entry.marks.length).toBeLessThanOrEqual(11);
});

test('a peer that answers for the first time begins with no loss', () => {
  const { paths, entry, of } = onePath();
  for (let ms = 0; ms < 2 * windowMs; ms += 10_000) train(paths, entry, ms, 0);
  expect(of(2 * windowMs)).toMatchObject({ lost: 0, answeredAt: undefined });
  expect(of(2 * windowMs)?.sent).toBeGreaterThan(0);
  expect(paths.sum('host', 2 * windowMs).sent).toBe(0);
  train(paths, entry, 2 * windowMs, 8);
  expect(of(2 * windowMs)).toMatchObject({ sent: 8, lost: 0, answeredAt: 2 * windowMs });
  expect(paths.sum('host', 2 * windowMs)).toMatchObject({ sent: 8, lost: 0 });
  expect(paths.sum('endpoint', 2 * windowMs).sent).toBe(0);
});

test('many paths of a round may be gone at once', () => {
  const paths = new UdpPaths();
  paths.setPaths(Array.from({ length: 20_000 }, (_, number) => pathTo(number)));
  paths.next(0);
  paths.setPaths([]);
  expect(paths.next(250)).toBeUndefined();
});
