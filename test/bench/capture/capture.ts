import { once } from 'node:events';
import { join } from 'node:path';
import { startCommand } from '../environment/child.js';
import { readExchanges, type Exchange } from './exchanges.js';

/** What passed the agent's device during the capture. */
export interface Captured {
  readonly exchanges: readonly Exchange[];
  /** Packets that the capture lost. */
  readonly drops: number;
}

export interface Capture {
  /** Ends the capture. */
  stop(): Promise<Captured>;
}

/**
 * Starts a capture in a namespace. Resolves when the capture runs.
 * @param programs the folder of the bench's own programs
 * @throws Error if the capture cannot start
 */
export async function startCapture(programs: string, namespace: string): Promise<Capture> {
  const program = join(programs, 'capture.mjs');
  const { child, output } = startCommand(namespace, [process.execPath, program, 'eth0']);
  await Promise.race([once(child.stdout, 'data'), output]);
  return {
    async stop() {
      child.stdin.end();
      const { stdout, stderr } = await output;
      return { exchanges: readExchanges(stdout), drops: Number(stderr.trim()) };
    },
  };
}
