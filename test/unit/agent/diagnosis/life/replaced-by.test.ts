import { describe, expect, it } from 'vitest';
import type { Subject } from '../../../../../agent/diagnosis/nouns/subject.js';
import type { Finding } from '../../../../../agent/diagnosis/nouns/finding.js';
import {
  isCovered,
  isReplaced,
  type Placed,
} from '../../../../../agent/diagnosis/life/replaced-by.js';
import { makeFinding } from '../../../../rows/make-finding.js';

const finding = (subjects: readonly Subject[], fields: Partial<Finding> = {}): Placed => ({
  subjects,
  finding: makeFinding(fields),
});

const node = (number: number): Subject => ({ type: 'node', node: number });
const pair = (from: number, to: number): Subject => ({ type: 'pair', from, to });
const zones = (zone: number, other?: number): Subject => ({ type: 'zones', zone, other });
const cluster: Subject = { type: 'cluster' };
/** The first node is in a zone of its own. */
const has = Uint8Array.of(1, 1, 0, 0);
const index = {
  zoneOf: Int32Array.of(0, 1, 1, 2),
  groups: [{ label: 'rack', name: 'r1', members: [0, 1], has, like: [] }],
};
const http = { protocols: ['http'] } as const;

describe('a finding that is not seen any more', () => {
  it('is replaced by one about the same node, alone or in a pair', () => {
    const gone = finding([node(0)]);
    expect(isReplaced(gone, [finding([node(0)])], index)).toBe(true);
    expect(isReplaced(gone, [finding([pair(1, 0)])], index)).toBe(true);
    expect(isReplaced(gone, [finding([node(1)])], index)).toBe(false);
    expect(isReplaced(gone, [], index)).toBe(false);
  });

  it('is replaced by one about the same zone, and not by a node', () => {
    const gone = finding([zones(0, 1)]);
    expect(isReplaced(gone, [finding([zones(1)])], index)).toBe(true);
    expect(isReplaced(gone, [finding([node(0)])], index)).toBe(false);
  });

  it('is replaced by one about the whole cluster only if that has its protocols', () => {
    const all = finding([cluster], http);
    expect(isReplaced(finding([node(0)], http), [all], index)).toBe(true);
    expect(isReplaced(finding([node(0)]), [all], index)).toBe(false);
  });

  it('is covered by a broken cluster, and not by agents of which no row comes', () => {
    const gone = finding([node(0)], http);
    expect(isCovered(gone, [finding([cluster], http)], index)).toBe(true);
    expect(isCovered(gone, [finding([node(0)], http)], index)).toBe(false);
    const missing = finding([], { kind: 'observers-missing', severity: 'degraded', ...http });
    expect(isCovered(gone, [missing], index)).toBe(false);
    expect(isReplaced(gone, [missing], index)).toBe(false);
  });

  it('is covered by a zone of its node that is broken by its protocols', () => {
    const gone = finding([node(0)], http);
    expect(isCovered(gone, [finding([zones(0, 2)])], index)).toBe(true);
    expect(isCovered(gone, [finding([zones(1, 2)])], index)).toBe(false);
    const byIcmp = finding([zones(0, 2)], { protocols: ['icmp'] });
    expect(isCovered(gone, [byIcmp], index)).toBe(false);
  });

  it('is covered by a zone of its node that has the same trouble on its plane', () => {
    const lossy = { kind: 'lossy', severity: 'degraded', plane: 'host', ...http } as const;
    const gone = finding([node(0)], lossy);
    expect(isCovered(gone, [finding([zones(0, 2)], lossy)], index)).toBe(true);
    expect(isCovered(gone, [finding([zones(1, 2)], lossy)], index)).toBe(false);
    expect(isCovered(gone, [finding([zones(0, 2)], { ...lossy, kind: 'slow' })], index)).toBe(
      false,
    );
    const ofPods = finding([zones(0, 2)], { ...lossy, plane: 'endpoint' });
    expect(isCovered(gone, [ofPods], index)).toBe(false);
    const ofBoth = finding([zones(0, 2)], { ...lossy, plane: undefined });
    expect(isCovered(gone, [ofBoth], index)).toBe(true);
  });

  it('is not covered or replaced by one about many others, but by one that it is one of', () => {
    const gone = finding([node(0)]);
    const others = finding([node(1), node(2)], { count: 2 });
    expect(isCovered(gone, [others], index)).toBe(false);
    expect(isReplaced(gone, [others], index)).toBe(false);
    expect(isReplaced(gone, [finding([node(1), node(0)], { count: 2 })], index)).toBe(true);
  });

  it('is covered where it is about many only if each of them is', () => {
    const zone = [finding([zones(1)])];
    expect(isCovered(finding([node(1), node(2)]), zone, index)).toBe(true);
    expect(isCovered(finding([node(0), node(1)]), zone, index)).toBe(false);
    expect(isCovered(finding([]), zone, index)).toBe(false);
  });
});
