import { describe, expect, it } from 'vitest';
import { TimelineFigures } from './figures.js';
import { printBadRound, printTimeline } from './print-timeline.js';
import { planRound } from './round-plan.js';
import { runRound } from './run-round.js';

// `npm run sim -- timeline` runs 100 rounds of 6 to 60 nodes.
const rounds = 4;

describe('a cluster in which faults begin and end', () => {
  it.each([
    ['some time after each fault, and as well after the repair', {}],
    ['where targets fail', { hasTargets: true }],
    ['where all nodes of a group fail', { groups: 'fault', nodes: 12 }],
  ] as const)('is told rightly by its agents %s', async (_, more) => {
    const figures = new TimelineFigures();
    for (let seed = 1; seed <= rounds; seed++) {
      const round = await runRound(planRound(seed, { nodes: 8, ...more }));
      figures.add(round);
      console.log(printBadRound(round) ?? '');
    }
    console.log(printTimeline(figures));
    const { exactAfterMs, closedAfterMs } = figures;
    expect(exactAfterMs.length).toBeGreaterThan(4 * rounds);
    for (const times of [exactAfterMs, closedAfterMs]) {
      const right = times.filter((ms) => ms < Infinity).length;
      expect(right / times.length).toBeGreaterThanOrEqual(0.9);
    }
  });

  it('is the same in each run of a seed', async () => {
    const run = () => runRound(planRound(3, { nodes: 6, hasTargets: true }));
    expect(await run()).toEqual(await run());
  });
});
