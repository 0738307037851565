import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Keeps every processor busy for this time. The loops end by themselves, even if the test is
 * killed.
 */
export async function starve(forMs: number): Promise<void> {
  const loop = `const end = performance.now() + ${2 * forMs}; while (performance.now() < end);`;
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['--eval', loop], { stdio: 'ignore' }),
  );
  await delay(forMs);
  for (const child of loops) {
    if (child.exitCode !== null)
      throw new Error(`a busy loop ended with exit code ${child.exitCode}`);
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }
}
