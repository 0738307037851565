import { existsSync } from 'node:fs';
import { run } from '../../lab/lib/command.js';
import { isAlive, until } from './spawn.js';

/** On a busy machine even what is killed takes its time. */
const deadlineMs = 180_000;

/**
 * Ends every process of these network namespaces, and those that `others` names. A new one that they have started
 * meanwhile is ended too.
 * @throws Error if some do not end
 */
export async function endProcesses(
  namespaces: readonly string[],
  others: () => readonly number[],
): Promise<void> {
  await until(
    'all processes have ended',
    deadlineMs,
    async () => {
      const here = await Promise.all(namespaces.map(processesIn));
      const alive = [...new Set([...here.flat(), ...others()])].filter(isAlive);
      for (const pid of alive) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended meanwhile.
        }
      }
      return alive.length === 0;
    },
    100,
  );
}

async function processesIn(namespace: string): Promise<number[]> {
  if (!existsSync(`/run/netns/${namespace}`)) return [];
  const text = await run('ip', ['netns', 'pids', namespace]);
  return text.split('\n').filter(Boolean).map(Number);
}
