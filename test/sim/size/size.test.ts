import { describe, expect, it } from 'vitest';
import { runSizeRound } from './run-size-round.js';
import { SizeFigures } from './size-figures.js';
import { planSizeRound } from './size-plan.js';

// `npm run sim -- size` runs rounds of 60, 1,000 and 5,000 nodes.
describe('a cluster whose rows are generated', () => {
  it('is told rightly by its agents some time after each fault', async () => {
    const figures = new SizeFigures();
    for (let seed = 1; seed <= 4; seed++)
      figures.add(await runSizeRound(planSizeRound(seed, { nodes: 20 }), 2));
    console.log(figures.print(20));
    expect(figures.judged).toHaveLength(4);
    expect(figures.right.length).toBeGreaterThanOrEqual(3);
  });

  it.each(['fault', 'cut'] as const)(
    'is told by what the nodes of a %s have in common',
    async (groups) => {
      const figures = new SizeFigures();
      for (let seed = 1; seed <= 3; seed++)
        figures.add(await runSizeRound(planSizeRound(seed, { nodes: 24, groups }), 2));
      console.log(figures.print(24));
      expect(figures.judged).toHaveLength(3);
      expect(figures.right.length).toBeGreaterThanOrEqual(2);
    },
  );

  it('is the same in each run of a seed', async () => {
    const run = () => runSizeRound(planSizeRound(3, { nodes: 12 }), 2);
    expect(await run()).toEqual(await run());
  });
});
