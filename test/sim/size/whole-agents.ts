import { expect } from 'vitest';
import type { Round } from '../timeline/run-round.js';
import type { Said } from '../timeline/watch.js';
import { runSizeRound, runWholeRound } from './run-size-round.js';
import { isRight, SizeFigures } from './size-figures.js';
import { planSizeRound, type SizeOptions } from './size-plan.js';

/** Agents are right some three seconds after the last fault, and each further second of whole agents costs two of a processor. */
const togetherMs = 5000;

/** What each agent said at a time, by its name. */
function saidAt({ agents }: Round, atMs: number): Record<string, string[]> {
  const isSaid = ({ fromMs, toMs }: Said) => fromMs <= atMs && atMs <= toMs;
  return Object.fromEntries(
    agents.map(({ name, said }) => [
      name,
      said
        .filter(isSaid)
        .map((one) => one.name)
        .sort(),
    ]),
  );
}

/** Runs a round with generated rows and with whole agents, and expects that all agents say the same. */
export async function expectSameOfWholeAgents(seed: number, options: SizeOptions): Promise<void> {
  const plan = planSizeRound(seed, { ...options, togetherMs });
  const generated = await runSizeRound(plan, 2);
  const whole = await runWholeRound(plan, generated);
  for (const [name, round] of Object.entries({ size: generated, whole })) {
    const figures = new SizeFigures();
    figures.add(round);
    console.log(`${figures.printWays()}\n${figures.print(options.nodes, name)}`);
  }
  expect(isRight(whole)).toBe(isRight(generated));
  const beforeMs = Math.min(...plan.faults.map(({ endMs }) => endMs)) - 1000;
  const said = saidAt(whole, beforeMs);
  expect(Object.values(said).flat().length).toBeGreaterThan(0);
  expect(saidAt(generated, beforeMs)).toEqual(said);
  expect(Object.values(saidAt(generated, plan.endMs)).flat()).toEqual([]);
  expect(Object.values(saidAt(whole, plan.endMs)).flat()).toEqual([]);
}
