import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../agent/diagnosis/finding.js';
import { isCovered, isReplaced } from '../../../../agent/diagnosis/replaced-by.js';

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

describe('a finding that is not seen any more', () => {
  it('is replaced by one about the same node, alone or in a pair', () => {
    const gone = finding({ node: 'c/n1' });
    expect(isReplaced(gone, [finding({ kind: 'host-plane', node: 'c/n1' })])).toBe(true);
    expect(isReplaced(gone, [finding({ kind: 'pair', pair: ['c/n2', 'c/n1'] })])).toBe(true);
    expect(isReplaced(gone, [finding({ node: 'c/n2' })])).toBe(false);
    expect(isReplaced(gone, [])).toBe(false);
  });

  it('is replaced by one about the same zone, and not by a node of that name', () => {
    const gone = finding({ kind: 'zones', zones: ['a', 'b'] });
    expect(isReplaced(gone, [finding({ kind: 'zones', zones: ['b'] })])).toBe(true);
    expect(isReplaced(gone, [finding({ node: 'b' })])).toBe(false);
  });

  it('is replaced by one about the whole cluster only if that has its protocols', () => {
    const cluster = finding({ kind: 'http-filtered', protocols: ['http'] });
    expect(isReplaced(finding({ node: 'c/n1', protocols: ['http'] }), [cluster])).toBe(true);
    expect(isReplaced(finding({ node: 'c/n1' }), [cluster])).toBe(false);
  });

  it('is covered by a broken cluster, and not by agents of which no row comes', () => {
    const gone = finding({ kind: 'http-filtered', node: 'c/n1', protocols: ['http'] });
    const cluster = finding({ kind: 'http-filtered', protocols: ['http'] });
    expect(isCovered(gone, [cluster])).toBe(true);
    expect(isCovered(gone, [finding({ ...cluster, node: 'c/n1' })])).toBe(false);
    const missing = finding({
      kind: 'observers-missing',
      severity: 'degraded',
      protocols: ['http'],
    });
    expect(isCovered(gone, [missing])).toBe(false);
    expect(isReplaced(gone, [missing])).toBe(false);
  });
});
