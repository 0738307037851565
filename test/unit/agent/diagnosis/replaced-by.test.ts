import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../agent/diagnosis/finding.js';
import { haveSameSubject, isCovered, isReplaced } from '../../../../agent/diagnosis/replaced-by.js';

const finding = (fields: Partial<Finding>): Finding => ({
  id: 'x',
  kind: 'node-down',
  severity: 'broken',
  protocols: ['icmp', 'http'],
  since: '2026-01-01T00:00:00Z',
  seenBy: { failing: 1, of: 1 },
  explains: 1,
  confidence: 1,
  text: '',
  next: [],
  evidence: [],
  ...fields,
});

const zoneOf = (name: string) => (name === 'c/n1' ? 'a' : 'b');

describe('a finding that is not seen any more', () => {
  it('is replaced by one about the same node, alone or in a pair', () => {
    const gone = finding({ node: 'c/n1' });
    expect(isReplaced(gone, [finding({ kind: 'host-plane', node: 'c/n1' })], zoneOf)).toBe(true);
    expect(isReplaced(gone, [finding({ kind: 'pair', pair: ['c/n2', 'c/n1'] })], zoneOf)).toBe(
      true,
    );
    expect(isReplaced(gone, [finding({ node: 'c/n2' })], zoneOf)).toBe(false);
    expect(isReplaced(gone, [], zoneOf)).toBe(false);
  });

  it('is replaced by one about the same zone, and not by a node of that name', () => {
    const gone = finding({ kind: 'zones', zones: ['a', 'b'] });
    expect(isReplaced(gone, [finding({ kind: 'zones', zones: ['b'] })], zoneOf)).toBe(true);
    expect(isReplaced(gone, [finding({ node: 'b' })], zoneOf)).toBe(false);
  });

  it('is replaced by one about the whole cluster only if that has its protocols', () => {
    const cluster = finding({ kind: 'http-filtered', protocols: ['http'] });
    expect(isReplaced(finding({ node: 'c/n1', protocols: ['http'] }), [cluster], zoneOf)).toBe(
      true,
    );
    expect(isReplaced(finding({ node: 'c/n1' }), [cluster], zoneOf)).toBe(false);
  });

  it('is covered by a broken cluster, and not by agents of which no row comes', () => {
    const gone = finding({ kind: 'http-filtered', node: 'c/n1', protocols: ['http'] });
    const cluster = finding({ kind: 'http-filtered', protocols: ['http'] });
    expect(isCovered(gone, [cluster], zoneOf)).toBe(true);
    expect(isCovered(gone, [finding({ ...cluster, node: 'c/n1' })], zoneOf)).toBe(false);
    const missing = finding({
      kind: 'observers-missing',
      severity: 'degraded',
      protocols: ['http'],
    });
    expect(isCovered(gone, [missing], zoneOf)).toBe(false);
    expect(isReplaced(gone, [missing], zoneOf)).toBe(false);
  });

  it('is covered by a zone of its node that is broken by its protocols', () => {
    const gone = finding({ kind: 'http-filtered', node: 'c/n1', protocols: ['http'] });
    expect(isCovered(gone, [finding({ kind: 'zones', zones: ['a', 'c'] })], zoneOf)).toBe(true);
    expect(isCovered(gone, [finding({ kind: 'zones', zones: ['b', 'c'] })], zoneOf)).toBe(false);
    const byIcmp = finding({ kind: 'zones', zones: ['a', 'c'], protocols: ['icmp'] });
    expect(isCovered(gone, [byIcmp], zoneOf)).toBe(false);
  });

  it('has the subject of another one if both are about the same nodes or zones', () => {
    const pair = finding({ kind: 'pair', pair: ['c/n1', 'c/n2'] });
    expect(haveSameSubject(pair, finding({ kind: 'pair', pair: ['c/n2', 'c/n1'] }))).toBe(true);
    expect(haveSameSubject(pair, finding({ node: 'c/n1' }))).toBe(false);
    expect(haveSameSubject(finding({}), finding({}))).toBe(false);
  });
});
