import { describe, expect, test } from 'vitest';
import type { DiagnosisOutput } from '../../../../../agent/diagnosis/nouns/diagnosis-input.js';
import type { RowChange, RowSign } from '../../../../../agent/model/row-host.js';
import { found, n, start, type PathOf } from '../cluster.js';
import { makeChange, makeSign } from '../../../../rows/make-host.js';

const full = makeSign();
const drops: RowSign = { ...full, sign: 'conntrack-drops', ageSeconds: 60, value: 1203 };

const telling = (...told: readonly [node: number, ...signs: RowSign[]][]) => ({
  rows: Object.fromEntries(
    told.map(([node, ...signs]) => [n(node), { row: { signs }, bodyAgeMs: 0, ageMs: 0 }]),
  ),
});

const endpointOf7 = ({ from, to, plane }: PathOf) =>
  (from === n(7) || to === n(7)) && plane === 'endpoint' ? 'unreachable' : undefined;

/** The findings of some seconds later, when all that was to open has opened. */
function settled(options: NonNullable<Parameters<typeof found>[1]>, nodes = 8): DiagnosisOutput {
  const previous = found(nodes, options);
  return found(nodes, { ...options, input: { previous, now: start + 1000, wallOffsetMs: -1000 } });
}

describe('a finding', () => {
  test('tells the signs at its node that began near it, the nearest first', () => {
    const { findings } = settled({ says: endpointOf7, ...telling([7, full, drops]) });
    expect(findings.map(({ kind }) => kind)).toEqual(['endpoint-plane']);
    expect(findings[0]?.signs).toMatchObject([
      {
        node: n(7),
        sign: 'conntrack-drops',
        text: 'conntrack dropped 1,203 packets in the last minute',
      },
      { node: n(7), sign: 'conntrack-full', text: 'conntrack table full (10 of 10)' },
    ]);
    expect(findings[0]?.text).not.toMatch(/conntrack/);
  });

  test('tells no sign of another node, nor one that began more than five minutes before', () => {
    const old = { ...drops, ageSeconds: 60 + 320 };
    const { findings } = settled({ says: endpointOf7, ...telling([7, old], [6, drops]) });
    expect(findings.map(({ signs }) => signs)).toEqual([undefined]);
  });

  test.each([-3_600_000, 3_600_000])(
    'tells the same signs and changes with the same times where the clock is set by %d ms meanwhile',
    (setMs) => {
      const row = { signs: [drops], changes: [makeChange({ ageSeconds: 75 })] };
      const rows = { [n(7)]: { row, bodyAgeMs: 0, ageMs: 0 } };
      const previous = found(8, { says: endpointOf7, rows });
      const input = { previous, now: start + 500, wallOffsetMs: setMs };
      const told = ({ findings }: DiagnosisOutput) =>
        findings.map(({ since, signs, changes }) => ({ since, signs, changes }));
      expect(previous.findings[0]?.signs).toHaveLength(1);
      expect(previous.findings[0]?.changes).toHaveLength(1);
      expect(told(found(8, { says: endpointOf7, rows, input }))).toEqual(told(previous));
    },
  );

  test('tells at most four signs', () => {
    const many = (['interface-errors', 'interface-drops'] as const).flatMap((sign) =>
      ['eth0', 'eth1', 'eth2'].map((about) => ({ ...drops, sign, about })),
    );
    const { findings } = settled({ says: endpointOf7, ...telling([7, ...many]) });
    expect(findings[0]?.signs).toHaveLength(4);
  });

  test('keeps the time of a sign, though ages are rounded', () => {
    const first = settled({ says: endpointOf7, ...telling([7, drops]) });
    const later = found(8, {
      says: endpointOf7,
      ...telling([7, { ...drops, ageSeconds: 61 }]),
      input: { previous: first, now: start + 2500, wallOffsetMs: -1000 },
    });
    expect(later.findings[0]?.signs?.[0]?.since).toBe(first.findings[0]?.signs?.[0]?.since);
  });

  test('tells a sign of the last row of a node that is heard no more, and when that was', () => {
    const last = { freshness: 'stale', ageMs: 40_000, bodyAgeMs: 40_000 } as const;
    const rowsOf = (signs: readonly RowSign[]) => ({
      rows: { [n(7)]: { ...last, row: { signs } } },
    });
    const options = { says: endpointOf7, ...rowsOf([drops]) };
    const told = settled(options).findings[0]?.signs?.[0];
    expect(told).toMatchObject({ node: n(7), sign: drops.sign });
    const lastMs = Date.parse(told?.lastToldAt ?? '');
    expect(lastMs - Date.parse(told?.since ?? '')).toBe(1000 * drops.ageSeconds);
    expect(settled({ says: endpointOf7, ...telling([7, drops]) }).findings[0]?.signs?.[0]).toEqual(
      expect.not.objectContaining({ lastToldAt: expect.anything() as string }),
    );
    // It may have ended: it is no finding by itself.
    expect(settled(rowsOf([full])).findings.map(({ kind }) => kind)).not.toContain('host-sign');
  });
});

describe('changes', () => {
  const mtu = makeChange();
  /** Paths of node 7 fail for a minute. */
  const changed = (change: Partial<RowChange>, freshness: 'fresh' | 'stale' = 'fresh') =>
    settled({
      says: endpointOf7,
      rows: {
        [n(7)]: { row: { changes: [{ ...mtu, ...change }] }, bodyAgeMs: 0, ageMs: 0, freshness },
      },
    }).findings[0]?.changes;

  test('before a finding, or as it began, are told with it', () => {
    expect(changed({})).toMatchObject([
      { node: n(7), change: 'interface-mtu', text: 'interface eth0 went from MTU 1500 to 1400' },
    ]);
    expect(changed({ ageSeconds: 55 })).toHaveLength(1);
    expect(changed({}, 'stale')).toHaveLength(1);
  });

  test('that this agent saw itself are told beside those of the host, the nearest first', () => {
    const kernel = { change: 'kernel', about: 'kernel', from: '1', to: '2' } as const;
    const changesOf = (node: string) =>
      node === n(7) ? [{ ...kernel, withinSeconds: 0, foundMs: start - 70_000 }] : [];
    const options = {
      says: endpointOf7,
      rows: { [n(7)]: { row: { changes: [mtu] }, bodyAgeMs: 0, ageMs: 0 } },
    };
    const previous = found(8, { ...options, input: { changesOf } });
    const input = { previous, changesOf, now: start + 1000, wallOffsetMs: -1000 };
    expect(found(8, { ...options, input }).findings[0]?.changes).toMatchObject([
      { node: n(7), change: 'kernel', text: 'the kernel went from 1 to 2' },
      { node: n(7), change: 'interface-mtu' },
    ]);
  });

  test('after a finding began, or more than five minutes before it, are not told', () => {
    expect(changed({ ageSeconds: 40 })).toBeUndefined();
    expect(changed({ ageSeconds: 60 + 320 })).toBeUndefined();
  });
});

describe('a host alone', () => {
  test('is a finding of its own with a full table, and with its next commands', () => {
    const { findings } = settled(telling([7, full]));
    expect(findings).toMatchObject([
      {
        id: 'host-sign:conntrack-full:c/n7',
        kind: 'host-sign',
        severity: 'degraded',
        node: n(7),
        sign: 'conntrack-full',
        text: 'c/n7: conntrack table full (10 of 10)',
      },
    ]);
    expect(findings[0]?.next[1]).toBe('ssh 10.0.0.7 sudo conntrack -S');
  });

  test('is none while the table is nearly full, or for a sign that is no failure', () => {
    expect(settled(telling([7, { ...full, value: 9 }, drops])).findings).toEqual([]);
  });

  test('is none where its row is that of a node which is not listed', () => {
    expect(settled({ ...telling([7, full]), nodes: [] }).findings).toEqual([]);
  });

  test('is told with the other signs that it shows at the time', () => {
    expect(settled(telling([7, full, drops])).findings[0]?.signs).toMatchObject([
      { sign: 'conntrack-drops' },
    ]);
  });

  test('many that show the same are one finding', () => {
    const nodes = Array.from({ length: 17 }, (_, at) => at + 1);
    const { findings } = settled(
      telling(...nodes.map((node): [number, RowSign] => [node, full])),
      20,
    );
    expect(findings).toMatchObject([
      {
        id: 'host-sign:conntrack-full:many',
        count: 17,
        text: '17 of 20 nodes show the sign conntrack-full (c/n1, c/n10, c/n11, ...)',
        signs: [1, 10, 11, 12].map((node) => ({
          node: n(node),
          sign: 'conntrack-full',
          text: 'conntrack table full (10 of 10)',
        })),
      },
    ]);
  });

  test('many stay one finding until twelve are left', () => {
    const of = (count: number) =>
      telling(...Array.from({ length: count }, (_, at): [number, RowSign] => [at + 1, full]));
    const ids = ({ findings }: DiagnosisOutput) => new Set(findings.map(({ id }) => id));
    const many = 'host-sign:conntrack-full:many';
    expect(ids(settled(of(16), 20)).has(many)).toBe(false);
    let previous = settled(of(17), 20);
    for (const count of [16, 17, 13]) {
      const input = { previous, now: start + 2000, wallOffsetMs: -1000 };
      previous = found(20, { ...of(count), input });
      expect(ids(previous)).toEqual(new Set([many]));
    }
    const input = { previous, now: start + 2000, wallOffsetMs: -1000 };
    expect(found(20, { ...of(12), input }).findings.map(({ count }) => count)).not.toContain(12);
  });

  test('a sign that may be older says so', () => {
    const { findings } = settled({
      says: endpointOf7,
      ...telling([7, { ...drops, orBefore: true }]),
    });
    expect(findings[0]?.signs).toMatchObject([{ sign: 'conntrack-drops', orBefore: true }]);
  });
});
