import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { StreamEvent } from '../../api/schema/v1/events.js';
import type { FabricHost } from './lib/fabric-plan.js';
import { useFabric } from './lib/use-fabric.js';

// In its first minute an agent tests every path with large packets. The rest is repetition, so an hour
// (LAB_MINUTES=60) is for a change of the judgements.
const minutes = Number(process.env['LAB_MINUTES'] ?? 1);
const deadline = { timeout: minutes * 60_000 + 60_000 };
const planes = ['host', 'endpoint'] as const;

const fabric = useFabric({ family: 4, hostsPerLeaf: 2, overlayMtu: 1450 });

test(`agents say nothing of a fabric without faults for ${minutes} min`, deadline, async () => {
  await delay(minutes * 60_000);
  for (const host of fabric().hosts) {
    const events = await eventsOf(host);
    const told = events.filter(({ type }) => type !== 'list' && type !== 'node');
    const changes = told.filter((event) => event.type !== 'path' || event.state !== 'reachable');
    // A machine without time for the agents may lose a probe. No finding may follow of it.
    console.log(`${host}: ${events.length} events, not of the start: ${JSON.stringify(changes)}`);
    expect(changes.filter(({ type }) => type === 'finding')).toEqual([]);
    expect(await fabric().client(host).findings()).toMatchObject({
      findings: [],
      observers: { fresh: fabric().hosts.length - 1 },
    });
    for (const other of fabric().hosts.filter((one) => one !== host)) {
      const { verdict, paths } = await fabric().client(host).node(other);
      expect(verdict).toBe('ok');
      for (const plane of planes) {
        expect(paths[plane]?.large).toMatchObject({ state: 'ok' });
        expect(paths[plane]?.flows).toBeUndefined();
      }
    }
  }
});

async function eventsOf(host: FabricHost): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const { event } of fabric().client(host).events({ after: 0, follow: false })) {
    if (event) events.push(event);
  }
  return events;
}
