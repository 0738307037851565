import { describe, expect, test } from 'vitest';
import { routers } from './lib/fabric-network.js';
import { spines, type FabricHost } from './lib/fabric-plan.js';
import { clusterName, type Family } from './lib/plan.js';
import { useFabric } from './lib/use-fabric.js';

// What agents find out by themselves of paths between routers. Tests on demand are in path-tests.long.test.ts.
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

/** Paths are tested one a second, three times where they are lost, and a pair waits for what others see. */
const longTest = { timeout: 300_000 };

const patient = { timeout: 120_000, interval: 500 };

function useAgents(family: Family) {
  const fabric = useFabric({ family });
  return {
    fabric,
    large: async (host: FabricHost, other: FabricHost) =>
      (await fabric().client(host).node(other)).paths.host.large,
    findings: async (host: FabricHost) => (await fabric().client(host).findings()).findings,
  };
}

// Each takes a minute, and what follows from a lost GET is the same in both families.
describe('agents whose large packets vanish on the way, by IPv4', () => {
  const { fabric, large, findings } = useAgents(4);
  test(
    'both say so of the path and as a finding, with the size, and mend their word',
    longTest,
    async () => {
      for (const [host, other] of [hosts, ['h2', 'h1']] as const) {
        await expect.poll(() => large(host, other), patient).toMatchObject({ state: 'ok' });
        expect(await findings(host)).toEqual([]);
      }
      await fabric().restart(['h1', 'h2'], async () => {
        await fabric().setMtu(1410);
        for (const router of routers)
          await fabric().drop(router, 'output', 'icmp type destination-unreachable');
      });
      for (const host of hosts) {
        // Which of the two comes first is chance: both lose them.
        const told = async () =>
          (await findings(host)).map((one) => ({ ...one, pair: [...(one.pair ?? [])].sort() }));
        await expect.poll(told, patient).toMatchObject([
          {
            kind: 'mtu',
            severity: 'degraded',
            pair: hosts.map((one) => `${clusterName}/${one}`),
            direction: 'both',
            size: 1410,
            text: expect.stringMatching(
              /^packets above 1,410 bytes between .* vanish, and no router says so; small ones pass\. The interfaces say 1,500$/,
            ) as string,
          },
        ]);
      }
      expect(await large('h1', 'h2')).toMatchObject({
        state: 'lost',
        size: 16_000,
        limit: { bytes: 1410 },
      });
      expect((await large('h1', 'h2'))?.limit?.saidBy).toBeUndefined();
      await fabric().repair();
      for (const [host, other] of [hosts, ['h2', 'h1']] as const) {
        await expect.poll(() => large(host, other), patient).toMatchObject({ state: 'ok' });
        await expect.poll(() => findings(host), patient).toEqual([]);
      }
    },
  );
});

describe('agents of which one loses large packets on the way, by IPv6', () => {
  const { fabric, findings } = useAgents(6);

  test('both name the direction where only one loses them', longTest, async () => {
    await fabric().restart(['h1', 'h2'], async () => {
      for (const spine of spines) {
        await fabric().drop(`spine${spine}`, 'forward', 'iifname "leaf2" meta length > 1410');
      }
    });
    for (const host of hosts) {
      await expect
        .poll(() => findings(host), patient)
        .toMatchObject([
          {
            kind: 'mtu',
            pair: [`${clusterName}/h2`, `${clusterName}/h1`],
            size: 1410,
            text: expect.stringContaining(`bytes from ${clusterName}/h2 `) as string,
          },
        ]);
    }
    await fabric().repair();
    for (const host of hosts) await expect.poll(() => findings(host), patient).toEqual([]);
  });
});

describe('datagrams between two hosts', () => {
  const fabric = useFabric({ family: 4 });
  const udp = async () => (await fabric().client('h1').node('h2')).paths.host.udp;
  /** So many datagrams were sent since the agents started, and what became of them is known. */
  const sent = (count: number) =>
    expect
      .poll(async () => (await udp())?.sent ?? 0, { timeout: 60_000 })
      .toBeGreaterThanOrEqual(count);

  test('all come back where nothing is broken', async () => {
    await sent(16);
    expect(await udp()).toMatchObject({ lost: 0, reorderedThere: 0, duplicatedThere: 0 });
  });

  test.each([
    ['on the way there', 'lostThere', 'udp dport 4240 numgen inc mod 4 == 0'],
    ['on the way back', 'lostBack', 'udp sport 4240 numgen inc mod 4 == 0'],
  ] as const)('one of four is lost %s', async (_, way, match) => {
    // Each host asks the other, so what passes leaf1 towards h1 are its answers and the questions of h2.
    const host = fabric().address('h1');
    const from = way === 'lostThere' ? 'ip saddr' : 'ip daddr';
    await fabric().restart(['h1', 'h2'], () => Promise.resolve());
    await sent(8);
    // Read first: those that are sent between the two may be lost.
    const before = (await udp())?.sent ?? 0;
    await fabric().drop('leaf1', 'forward', `${from} ${host} ${match}`);
    await sent(before + 24);
    const state = await udp();
    expect(state?.lost).toBeGreaterThanOrEqual(4);
    expect(state?.lost).toBeLessThanOrEqual(((state?.sent ?? 0) - before) / 4 + 1);
    const other = way === 'lostThere' ? 'lostBack' : 'lostThere';
    // The way of the last train's last is not known before the next.
    expect(state?.[way]).toBeGreaterThanOrEqual((state?.lost ?? 0) - 1);
    expect(state?.[other]).toBe(0);
  });

  test('change no verdict and open no finding, though all are lost', async () => {
    await sent(8);
    await fabric().drop('leaf1', 'forward', 'meta l4proto udp');
    const before = (await udp())?.lost ?? 0;
    await expect.poll(async () => (await udp())?.lost ?? 0, { timeout: 60_000 }).toBe(before + 16);
    expect((await fabric().client('h1').findings()).findings).toEqual([]);
    expect(await fabric().client('h1').node('h2')).toMatchObject({ verdict: 'ok' });
  });
});
