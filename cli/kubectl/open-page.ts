import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { exitCodes } from '../exit-codes.js';
import type { Agent } from './find-agent.js';
import type { Kubectl } from './kubectl.js';
import type { PluginIo } from './run-command.js';

/**
 * Forwards a port of this host to the page of an agent, prints where it is, and resolves with the
 * exit code when kubectl ends.
 * @param port undefined: any that is free
 */
export async function openPage(
  kubectl: Kubectl,
  { namespace, pod }: Agent,
  port: number | undefined,
  io: PluginIo,
): Promise<number> {
  const child = await kubectl.start(
    [
      'port-forward',
      `--namespace=${namespace}`,
      '--address=127.0.0.1',
      `pod/${pod}`,
      `${port ?? ''}:api`,
    ],
    ['ignore', 'pipe', 'inherit'],
  );
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  if (child.stdout) {
    for await (const line of createInterface({ input: child.stdout })) {
      const [, local] = /^Forwarding from 127\.0\.0\.1:(\d+) /.exec(line) ?? [];
      if (local === undefined) continue;
      io.stdout.write(`http://localhost:${local}/\n`);
      io.stderr.write(`The page of ${pod} in namespace ${namespace}. Ctrl-C ends it.\n`);
    }
  }
  const [code, signal] = await closed;
  if (signal !== null) return exitCodes.interrupted;
  return code === 0 ? 0 : exitCodes.noAgent;
}
