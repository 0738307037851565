import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '../../api/client/api-error.js';
import type { Client } from '../../api/client/client.js';

const pollMs = 100;

/**
 * Resolves once every agent answers on its socket and knows all the nodes.
 * @throws AbortError once the signal aborts
 */
export async function untilAnswering(
  clients: readonly Client[],
  signal: AbortSignal,
): Promise<void> {
  for (const client of clients) {
    while (!(await knowsNodes(client, clients.length))) await delay(pollMs, undefined, { signal });
  }
}

async function knowsNodes(client: Client, count: number): Promise<boolean> {
  try {
    return (await client.status()).nodes.length === count;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** Returns why an agent cannot send ICMP, or undefined if it can. */
export async function whyNoIcmp(client: Client): Promise<string | undefined> {
  const [{ problems }, { nodes }] = [await client.daemonHealth(), await client.status()];
  const reason = nodes[0]?.host?.['primary-address']?.unknown?.icmp;
  return typeof reason === 'string' && problems?.includes(reason) ? reason : undefined;
}
