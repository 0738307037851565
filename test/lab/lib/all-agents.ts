import { expect } from 'vitest';
import type { FindingEvent } from '../../../api/schema/v1/events.js';
import type { Finding } from '../../../api/schema/v1/findings.js';
import type { Fabric } from './fabric.js';
import type { FabricHost } from './fabric-plan.js';

/** Tests of paths take their time, and the machine has others. */
const patient = { timeout: 120_000, interval: 500 };

/** What an agent says now, by id. The ends of pairs and zones come in the order of their names. */
async function findingsOf(fabric: Fabric, host: FabricHost): Promise<Finding[]> {
  const { findings } = await fabric.client(host).findings();
  const ordered = [...findings].sort((a, b) => a.id.localeCompare(b.id));
  return ordered.map(({ pair, zones, ...rest }) => ({
    ...rest,
    ...(pair && { pair: [...pair].sort() as [string, string] }),
    ...(zones && { zones: [...zones].sort() }),
  }));
}

/**
 * Waits until all agents say exactly this at the same time, and prints how long it took and what each of them
 * said before.
 */
export async function untilAllSay(fabric: Fabric, expected: readonly object[]): Promise<void> {
  const startMs = performance.now();
  const said = () => Promise.all(fabric.hosts.map((host) => findingsOf(fabric, host)));
  try {
    await expect.poll(said, patient).toMatchObject(fabric.hosts.map(() => expected));
  } finally {
    const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
    const changes = await Promise.all(fabric.hosts.map((host) => changesOf(fabric, host)));
    console.log([`${expect.getState().currentTestName}: ${seconds} s`, ...changes].join('\n'));
  }
}

/** What an agent said since it started, in one line. */
async function changesOf(fabric: Fabric, host: FabricHost): Promise<string> {
  const changes: FindingEvent[] = [];
  for await (const { event } of fabric.client(host).events({ after: 0, follow: false })) {
    if (event?.type === 'finding') changes.push(event);
  }
  const told = changes.map(
    ({ at, change, finding, text }) => `  ${at.slice(11, 19)} ${change} ${finding}: ${text}`,
  );
  return [host, ...told].join('\n');
}
