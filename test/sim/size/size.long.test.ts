import { describe, expect, it } from 'vitest';
import { runSizeRound } from './run-size-round.js';
import { planSizeRound } from './size-plan.js';

describe('a cluster whose rows are generated', () => {
  it('is told by agents that live where twenty nodes die', async () => {
    const round = await runSizeRound(planSizeRound(2, { nodes: 400, family: 'large' }), 1);
    expect(round.faults).toHaveLength(20);
    expect(round.agents).toHaveLength(1);
    expect(round.agents[0]?.said.length).toBeGreaterThan(0);
  });
});
