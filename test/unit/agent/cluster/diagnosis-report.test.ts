import { describe, expect, test } from 'vitest';
import { writeDiagnosis } from '../../../../agent/cluster/diagnosis-report.js';
import { readDiagnosis } from '../../../sim/replay/read-diagnosis.js';
import { diagnose } from '../../../../agent/diagnosis/diagnose.js';
import type { DiagnosisInput } from '../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { clusterOf, n, start, type PathOf, type Saying } from '../diagnosis/cluster.js';

const written = (input: DiagnosisInput): string => [...writeDiagnosis(input)].join('');
const parsed = (input: DiagnosisInput) => JSON.parse(written(input)) as Record<string, unknown>;

/** A cluster whose second node is dead, as it is some time after the start. */
const deadNode = (afterMs = 0, previous?: DiagnosisInput['previous']) =>
  clusterOf(6, {
    zones: ['a', 'a', 'b', 'b'],
    says: ({ to }) => (to === n(2) ? 'unreachable' : undefined),
    without: [n(2)],
    input: {
      now: start + afterMs,
      silentMs: [[n(2), 90_000]],
      plainForMs: new Map([[n(2), 4321]]),
      heardMsAgo: new Map([[n(3), 1234.5]]),
      previous,
    },
  });

const zones = ['a', 'a', 'a', 'b', 'b', 'b'];
const says = (afterMs: number, what: (path: PathOf) => Saying) =>
  clusterOf(6, { zones, says: what, input: { now: start + afterMs } });
const slowPair = (from: string, to: string): Saying =>
  from === n(1) && to === n(2) ? { state: 'slow', ageSeconds: 600 } : undefined;
const zoneOf = (name: string) => zones[Number(name.slice(3)) - 1];
const zonesApart = (from: string, to: string): Saying =>
  zoneOf(from) === zoneOf(to) ? undefined : 'unreachable';

/** One of two DNS servers fails, and a node cannot reach the registry. */
const dnsServer = (afterMs: number) =>
  clusterOf(6, {
    targets: ['cluster-dns', 'registry'],
    saysOf: ({ target, from }) =>
      target === 'cluster-dns'
        ? { state: 'reachable', failingServers: [1], p50Ns: 400_000, p99Ns: 900_000 }
        : from === n(3)
          ? { failure: 'tls-expired' }
          : undefined,
    input: {
      now: start + afterMs,
      targets: [
        {
          name: 'cluster-dns',
          digest: 1,
          kind: 'dns',
          servers: ['10.96.0.10', '10.96.0.11'],
          query: 'kubernetes.default.svc',
          type: 'A',
        },
        {
          name: 'registry',
          digest: 1,
          kind: 'http',
          servers: [],
          host: 'registry.example',
          port: 443,
          tlsName: 'registry',
          url: 'https://registry.example/v2/',
        },
      ],
    },
  });

const lostLargePackets = (afterMs: number) =>
  clusterOf(6, {
    large: ({ from, to }) =>
      to !== n(3)
        ? 'passed'
        : from === n(2)
          ? { isBack: true }
          : { limit: { bytes: 1410, interfaceBytes: 1500, saidBy: '10.0.0.9' } },
    input: { now: start + afterMs },
  });

describe('a diagnosis that is written and read again', () => {
  test.each([
    ['a dead node', deadNode],
    ['a lossy node', (at: number) => says(at, ({ to }) => (to === n(2) ? 'lossy' : undefined))],
    ['a slow pair', (at: number) => says(at, ({ from, to }) => slowPair(from, to))],
    ['two zones apart', (at: number) => says(at, ({ from, to }) => zonesApart(from, to))],
    ['one of two DNS servers', (at: number) => dnsServer(at)],
    ['large packets that are lost', (at: number) => lostLargePackets(at)],
    ['nothing', (at: number) => says(at, () => undefined)],
  ])('finds the same of %s, also with the memory of the run before', (_, make) => {
    const first = make(0);
    const later = { ...make(2000), previous: diagnose(first) };
    for (const input of [first, later]) {
      const { input: read, output, unreadMemory } = readDiagnosis(parsed(input));
      const { memory, shadows, past, livesSince, stray, ...shown } = diagnose(input);
      for (const one of [memory, shadows, livesSince]) expect(one).toEqual(expect.any(Map));
      expect(past).toEqual(expect.any(Array));
      expect(stray.atMs).toBe(input.now);
      expect(output).toEqual(shown);
      expect(diagnose(read)).toEqual(diagnose(input));
      expect(unreadMemory).toBeUndefined();
    }
  });

  test('keeps every field of its input', () => {
    const input = deadNode(2000, diagnose(deadNode()));
    const [own, ...others] = [...input.rows];
    if (!own) throw new Error('expected a row');
    const zone = {
      zone: 'a',
      plane: 'host',
      protocol: 'icmp',
      paths: 3,
      p50Ns: 1,
      p99Ns: 2,
    } as const;
    const row = { ...own.row, list: { nodes: 6, digests: [1, 2] }, zones: [zone], heard: [n(2)] };
    const rows = [{ ...own, row }, ...others];
    const { input: read } = readDiagnosis(parsed({ ...input, rows }));
    const { heardMsAgo, ...rest } = read;
    expect(rest).toEqual({ ...input, rows, heardMsAgo: undefined });
    expect([heardMsAgo.get(n(3)), heardMsAgo.get(n(1))]).toEqual([1234.5, undefined]);
  });

  test('has each row when the diagnosis has read it, and no row twice', () => {
    const input = deadNode();
    const taken: string[] = [];
    function* rows() {
      for (const row of input.rows) {
        taken.push(row.row.observer);
        yield row;
      }
    }
    const { rows: kept } = parsed({ ...input, rows: rows() });
    expect((kept as { row: { observer: string } }[]).map(({ row }) => row.observer)).toEqual(taken);
    expect(taken).toEqual([n(1), n(3), n(4), n(5), n(6)]);
  });

  test('leaves out rows beyond the limit, counts them, and finds nothing in them', () => {
    const input = deadNode();
    const value = JSON.parse([...writeDiagnosis(input, 11)].join('')) as Record<string, unknown>;
    const { input: read, output, omittedRows } = readDiagnosis(value);
    const rows = [...input.rows];
    // Each of the five rows tells of four failing paths.
    expect([...read.rows]).toEqual(rows.slice(0, 2));
    expect(omittedRows).toBe(3);
    expect(output.findings).toEqual(diagnose({ ...input, rows: rows.slice(0, 2) }).findings);
  });

  test('says why the memory of another version is not read, and reads the rest', () => {
    const value = parsed(deadNode(2000, diagnose(deadNode())));
    const previous = { findings: [], unexplained: 0, memory: [['node-down:c/n2', { seen: true }]] };
    const { input, unreadMemory } = readDiagnosis({ ...value, previous });
    expect(input.previous).toBeUndefined();
    expect(unreadMemory).toMatch(/^memory\.0\.1\.lastSeenMs: /);
    expect(diagnose(input).findings).toMatchObject([{ kind: 'node-down', node: n(2) }]);
  });

  test('names the first field that is not as expected', () => {
    const value = parsed(deadNode());
    expect(() => readDiagnosis('no object')).toThrow(RangeError);
    expect(() => readDiagnosis({ ...value, now: '2026' })).toThrow(/^now: .*number/);
    expect(() => readDiagnosis({ ...value, nodes: [{ name: 3 }] })).toThrow(/^nodes\.0\.name: /);
    const rows = [{ row: {}, ageMs: 1, bodyAgeMs: 1, freshness: 'new' }];
    expect(() => readDiagnosis({ ...value, rows })).toThrow(/^rows\.0\./);
  });
});
