import { expect, it } from 'vitest';
import { TimelineFigures } from './figures.js';
import { printBadRound, printTimeline } from './print-timeline.js';
import { planRound } from './round-plan.js';
import { runRound } from './run-round.js';

/** Tests of so many rounds each that agents tell rightly of faults that begin and end. `npm run sim -- timeline` runs 100. */
export function testRounds(rounds: number): void {
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
}
