import { describe, expect, it } from 'vitest';
import { planRound } from './round-plan.js';
import { testRounds } from './rounds-test.js';
import { runRound } from './run-round.js';

describe('a cluster in which faults begin and end', () => {
  testRounds(1);

  it('is the same in each run of a seed', async () => {
    const run = () => runRound(planRound(3, { nodes: 6, hasTargets: true }));
    expect(await run()).toEqual(await run());
  });
});
