import { join } from 'node:path';
import type { Bench } from '../steps/step.js';
import { defaultCadence } from './cadence.js';
import { startPeer } from './child.js';

/** Whether the peers exchange rows and hints. */
export type Mode = 'on' | 'off';

/** A process that answers for all nodes of a cluster as their agents would. */
export interface MeshPeers {
  /** The last so many nodes are dead, and the others say so. */
  setDead(count: number): void;
  /** No GET of theirs reaches the agent any more. They still answer its own. */
  fallSilent(): void;
  stop(): Promise<void>;
}

/** Starts the peers of a cluster on a port of its own, and resolves when they answer. */
export async function startMeshPeers(
  { environment, programs }: Pick<Bench, 'environment' | 'programs'>,
  { size, port, mode }: { readonly size: number; readonly port: number; readonly mode: Mode },
): Promise<MeshPeers> {
  // Each peer asks each host once in its interval. So the agent is asked as often as it asks.
  const getsPerSecond = size / (defaultCadence(2 * size).http / 1000);
  const program = join(programs, 'mesh-peers.mjs');
  const peers = await startPeer(
    environment.peerNamespace,
    [program, size, port, getsPerSecond, mode],
    'the peers',
  );
  return {
    setDead: (count) => peers.stdin.write(`dead ${count}\n`),
    fallSilent: () => peers.stdin.write('silent\n'),
    stop: () => peers.stop(),
  };
}
