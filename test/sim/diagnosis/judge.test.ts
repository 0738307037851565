import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import type { Fault } from '../../faults/fault.js';
import { pairKinds } from '../../faults/group-kinds.js';
import { nodeKinds } from '../../faults/node-kinds.js';
import { compare, isExact } from './judge.js';
import { layoutOf } from './scenarios/random-layout.js';

const layout = layoutOf(40, 1, () => 0);
const view = { localName: 'c/n1', hasRow: () => true };

function off(node: number): Fault {
  return nodeKinds.off.make(layout, { type: 'node', node }, 0);
}

const cut = pairKinds.cut.make(layout, { type: 'pair', from: 7, to: 8 }, 0);

const down = (more: Partial<Finding>) => ({ kind: 'node-down', ...more }) as unknown as Finding;
const pair = { kind: 'pair', pair: ['c/n9', 'c/n8'] } as unknown as Finding;

function hold(findings: readonly Finding[], made: readonly Fault[], visible = made) {
  return compare(findings, { made, visible, layout, view });
}

describe('findings', () => {
  it('are exact if each names one fault, in any order', () => {
    const result = hold([pair, down({ node: 'c/n3' })], [off(2), cut]);
    expect(isExact(result)).toBe(true);
    expect(result.isFirst).toBe(true);
  });

  it('are not exact if one names nothing, or what another names', () => {
    const made = [off(2)];
    const named = down({ node: 'c/n3' });
    expect(hold([named, pair], made).extra).toEqual([pair]);
    expect(hold([named, named], made).extra).toEqual([named]);
    expect(hold([pair, named], made).isFirst).toBe(false);
  });

  it('are exact if two name both of two faults of one pair', () => {
    const tunnel = pairKinds.tunnel.make(layout, { type: 'pair', from: 8, to: 7 }, 0);
    const other = { ...pair };
    expect(isExact(hold([pair, other], [cut, tunnel]))).toBe(true);
    expect(hold([pair, other], [cut]).extra).toEqual([other]);
    expect(hold([pair, other, { ...pair }], [cut, tunnel]).extra).toHaveLength(1);
  });

  it('are not exact if one names a node that another counts', () => {
    const made = Array.from({ length: 20 }, (_, node) => off(node + 1));
    const all = down({ count: 20, examples: ['c/n2'] });
    const one = down({ node: 'c/n3' });
    expect(hold([all, one], made).extra).toEqual([one]);
  });

  it('may name a fault that no row shows, and need not', () => {
    const made = [off(2), cut];
    expect(isExact(hold([pair, down({ node: 'c/n3' })], made, [cut]))).toBe(true);
    expect(isExact(hold([pair], made, [cut]))).toBe(true);
    expect(hold([pair], made).missed).toEqual([made[0]]);
  });

  it('may be one for many nodes, if its count and its examples are right', () => {
    const made = Array.from({ length: 20 }, (_, node) => off(node + 1));
    expect(isExact(hold([down({ count: 20, examples: ['c/n2', 'c/n21'] })], made))).toBe(true);
    expect(isExact(hold([down({ count: 16, examples: ['c/n2'] })], made))).toBe(false);
    expect(isExact(hold([down({ count: 20, examples: ['c/n40'] })], made))).toBe(false);
  });
});
