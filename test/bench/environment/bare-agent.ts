import { once } from 'node:events';
import { join } from 'node:path';
import type { Bench } from '../steps/step.js';
import { startCommand } from './child.js';

/** A process that sends and answers what an agent does, and nothing else. */
export interface BareAgent {
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Starts it on a port of its own, and resolves when it answers.
 * @param size the nodes of the cluster whose agent it stands for
 */
export async function startBareAgent(
  { environment, programs }: Pick<Bench, 'environment' | 'programs'>,
  { size, port }: { readonly size: number; readonly port: number },
): Promise<BareAgent> {
  const { pid, child, output } = startCommand(
    environment.agentNamespace,
    [process.execPath, join(programs, 'bare-agent.mjs'), `${size}`, `${port}`],
    [0, 'SIGTERM'],
  );
  const ended = output.then(({ stderr }) => {
    throw new Error(`the bare agent ended: ${stderr}`);
  });
  await Promise.race([once(child.stdout, 'data'), ended]);
  return {
    pid,
    async stop() {
      child.kill('SIGTERM');
      await output.catch(() => undefined);
    },
  };
}
