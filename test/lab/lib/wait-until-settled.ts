import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Host } from './plan.js';
import type { Mesh } from './start-mesh.js';
import { getJson } from './unix-socket.js';

/** Rows from before the start may still be on their way to an agent that has run no longer than this. */
const youngMs = 10_000;
const pollMs = 1000;

const stateSchema = z.object({
  diagnosis: z.object({
    uptimeMs: z.number(),
    rows: z.array(
      z.object({
        row: z.object({ observer: z.string(), health: z.object({ starved: z.boolean() }) }),
      }),
    ),
  }),
});

/**
 * Waits until no agent is young, and none lately got no processor: until then they wait longer before they say
 * something. On a machine that is busy all the time this does not happen, so it waits no longer than `deadlineMs`,
 * and prints who is not settled.
 */
export async function waitUntilSettled({ agents, lab }: Mesh, deadlineMs = 60_000): Promise<void> {
  const endMs = performance.now() + deadlineMs;
  for (;;) {
    const lacks = await Promise.all(lab.hosts.map((host) => lackOf(host)));
    const found = lacks.filter((lack) => lack !== undefined);
    if (found.length === 0) return;
    if (performance.now() > endMs) {
      console.log(`not settled after ${deadlineMs / 1000} s: ${found.join(', ')}`);
      return;
    }
    await delay(pollMs);
  }

  async function lackOf(host: Host): Promise<string | undefined> {
    const report = await getJson(agents.socketPath(host), '/v1/report').catch(
      (error: unknown) => error,
    );
    // On a machine that is busy an answer may take too long.
    if (report instanceof Error) return `${host.name} does not answer: ${report.message}`;
    const { uptimeMs, rows } = stateSchema.parse(report).diagnosis;
    if (uptimeMs < youngMs) return `${host.name} is young`;
    const own = rows.find(({ row }) => row.observer.endsWith(`/${host.name}`));
    return own?.row.health.starved ? `${host.name} is starved` : undefined;
  }
}
