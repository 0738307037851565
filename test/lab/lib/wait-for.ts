import { setTimeout as delay } from 'node:timers/promises';
import type { Agents } from './agents.js';
import type { Cell } from './cells.js';
import { matrix } from './matrix.js';

/** Says what is wrong with a cell, or undefined if nothing is. */
export type Check = (cell: Cell) => string | undefined;

/**
 * Polls every agent each `pollMs` until the check passes for every cell.
 * @throws Error with the whole matrix if some check still fails after `deadlineMs`; an AbortError if
 *   the signal ends the wait
 */
export async function waitFor(
  agents: Agents,
  check: Check,
  deadlineMs = 20_000,
  pollMs = 100,
  signal?: AbortSignal,
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
    await delay(pollMs, undefined, { ...(signal && { signal }) });
  }
}
