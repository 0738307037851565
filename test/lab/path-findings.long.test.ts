import { describe, expect, test } from 'vitest';
import { spines, type FabricHost } from './lib/fabric-plan.js';
import { useFabric } from './lib/use-fabric.js';

// What agents find out by themselves of flows and hops between routers. Tests on demand are in path-tests.long.test.ts.
const hosts = ['h1', 'h2'] as const;
const other = (host: FabricHost) => (host === 'h1' ? 'h2' : 'h1');

describe('agents with one dead link of four between them', () => {
  const fabric = useFabric({ family: 4 });

  test('say nothing of flows while all pass', async () => {
    for (const host of hosts) {
      expect(await fabric().client(host).findings()).toMatchObject({ findings: [] });
      expect((await fabric().client(host).node(other(host))).paths.host.flows).toBeUndefined();
    }
  });

  test('name the share of the flows that never pass, each with its own ports', async () => {
    await fabric().drop('spine3', 'forward', 'tcp dport 4240');
    const found = async (host: FabricHost) => {
      // More GETs than usual, so that some are lost soon.
      await Promise.all(hosts.map((every) => fabric().client(every).probe()));
      return (await fabric().client(host).findings()).findings;
    };
    for (const host of hosts) {
      // For a moment all GETs of a path may take the dead link: then the finding is another one.
      let told: Awaited<ReturnType<typeof found>> = [];
      await expect
        .poll(
          async () => {
            told = await found(host);
            return told.map(({ kind, flows }) => [kind, flows !== undefined]);
          },
          { timeout: 100_000, interval: 500 },
        )
        .toEqual([['lossy', true]]);
      const [finding] = told;
      const { failing = 0, tried = 0 } = finding?.flows ?? {};
      // A quarter is expected. Less than a twentieth, or more than half, comes less often than once in 10,000.
      expect(failing / tried).toBeGreaterThan(0.05);
      expect(failing / tried).toBeLessThan(0.5);
      expect(finding?.text).toContain(`${failing} of ${tried} flows never pass`);
      expect(finding?.text).toMatch(/one of about \d+ equal paths \(\d+ to \d+\) is broken/);
      const { flows } = (await fabric().client(host).node(other(host))).paths.host;
      const own = finding?.evidence.find(({ from }) => from === `lab/${host}`);
      if (flows?.result === 'sticky' && own) expect(own.ports).toEqual(flows.ports);
    }
  });
});

describe('agents whose paths end behind a router', () => {
  const fabric = useFabric({ family: 4 });

  test('trace one of them when the finding opens, and say which hop still answers', async () => {
    // An agent that never heard another says that it knows nothing.
    const heard = async () => (await fabric().client('h1').findings()).observers.fresh;
    await expect.poll(heard, { timeout: 20_000 }).toBe(1);
    for (const spine of spines) await fabric().drop(`spine${spine}`, 'forward', 'oifname "leaf2"');
    const traced = async () => {
      const { findings } = await fabric().client('h1').findings();
      return findings.flatMap(({ evidence }) => evidence.flatMap(({ trace }) => trace ?? []));
    };
    await expect.poll(async () => (await traced()).length, { timeout: 80_000 }).toBe(1);
    const [trace] = await traced();
    expect(trace).toMatchObject({ isReached: false, lastAnswering: { ttl: 2 } });
    expect(spines.map((spine) => fabric().router(`spine${spine}`))).toContain(
      trace?.lastAnswering.address,
    );
    // The other host is all there is: no path works beside this one.
    expect(trace?.sibling).toBeUndefined();
  });
});
