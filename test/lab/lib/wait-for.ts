import { setTimeout as delay } from 'node:timers/promises';
import type { Agents } from './agents.js';
import type { Cell } from './cells.js';
import { matrix } from './matrix.js';

/** Says what a cell lacks, or nothing where it is as it should be. */
export type Check = (cell: Cell) => string | undefined;

/**
 * Polls every agent, `pollMs` apart, until no cell lacks anything.
 * @throws Error with the whole matrix, who sees what, where that is not so within `deadlineMs`
 */
export async function waitFor(
  agents: Agents,
  check: Check,
  deadlineMs = 20_000,
  pollMs = 100,
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const cells = (await agents.read()).map((cell) => ({ cell, lack: check(cell) }));
    const lacking = cells.filter(({ lack }) => lack !== undefined);
    if (lacking.length === 0) return;
    if (performance.now() > deadline) {
      throw new Error(
        `after ${deadlineMs} ms ${lacking.length} of ${cells.length} cells are not as expected\n${matrix(cells)}`,
      );
    }
    await delay(pollMs);
  }
}
