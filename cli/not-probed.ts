import type { Client } from '../api/client/client.js';
import type { NotProbed } from '../api/schema/v1/summary.js';

/** The protocols that the agent does not probe at all. One of an older version, or of Cilium, does not say it. */
export async function readNotProbed(client: Client): Promise<readonly NotProbed[]> {
  const summary = await client.summary().catch(() => undefined);
  return summary?.notProbed ?? [];
}
