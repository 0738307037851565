import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import type { Seen } from '../diagnosis/looks-same.js';
import { isTargetFault } from '../../faults/target-kinds.js';
import { equalTargetReason } from './equal-targets.js';
import { planRound } from './round-plan.js';

// The overlay is broken everywhere, and nobody reaches cluster-dns from its host.
const {
  layout,
  faults,
  targetHosts = new Map<string, readonly number[]>(),
} = planRound(826, {
  nodes: 12,
  hasTargets: true,
});
const made = faults.map(({ fault }) => fault);
const missed = made.filter(({ what }) => what === 'target: all of it, everywhere, host');

function reasonOf(finding: Partial<Finding>, overlayAgeS = 10): string | undefined {
  const troubles = made.map((fault) => ({
    trouble: fault.trouble,
    ageS: isTargetFault(fault) ? 10 : overlayAgeS,
  }));
  const conditions = { troubles } as unknown as Seen['conditions'];
  const extra = { id: 'target-down:cluster-dns', target: 'cluster-dns', ...finding } as Finding;
  return equalTargetReason({ made, conditions, layout }, targetHosts, missed, [extra]);
}

describe('a target that fails from one plane while the other one is broken', () => {
  it('looks the same if it fails from both', () => {
    expect(missed).toHaveLength(1);
    expect(reasonOf({})).toContain('beside overlay broken everywhere');
  });

  it('does not if that plane broke later, so that nodes looked meanwhile', () => {
    expect(reasonOf({}, 9)).toBeUndefined();
  });

  it('does not look like another target, plane or node', () => {
    expect(reasonOf({ target: 'registry' })).toBeUndefined();
    expect(reasonOf({ plane: 'endpoint' })).toBeUndefined();
    expect(reasonOf({ node: layout.names[0] ?? '' })).toBeUndefined();
  });
});
