import { beforeEach, describe, expect, test } from 'vitest';
import type { EvidenceTrace } from '../../api/schema/v1/findings.js';
import { untilAllSay } from './lib/all-agents.js';
import { spines, type FabricHost } from './lib/fabric-plan.js';
import { useFabric } from './lib/use-fabric.js';

const longTest = { timeout: 260_000 };
const patient = { timeout: 120_000, interval: 500 };
const zones = ['zone-a', 'zone-b'];
const pairOf = (a: FabricHost, b: FabricHost) => ({
  kind: 'pair',
  pair: [`lab/${a}`, `lab/${b}`],
  protocols: ['icmp', 'http'],
});

describe('four hosts in two zones', () => {
  const fabric = useFabric({ family: 4, hostsPerLeaf: 2 });
  const router = (name: Parameters<ReturnType<typeof fabric>['router']>[0]) =>
    fabric().router(name);
  const spineAddresses = () => spines.map((spine) => router(`spine${spine}`));
  const onlyFrom = (from: FabricHost, to: FabricHost) =>
    `ip saddr ${fabric().address(from)} ip daddr ${fabric().address(to)}`;

  /** What an agent has traced for the finding of that id. */
  async function traceBy(host: FabricHost, id: string): Promise<EvidenceTrace | undefined> {
    const { findings } = await fabric().client(host).findings();
    const finding = findings.find((one) => one.id === id);
    return finding?.evidence.flatMap(({ trace }) => trace ?? [])[0];
  }

  beforeEach(async () => {
    await fabric().restart(fabric().hosts, () => Promise.resolve());
    // Agents that never heard the others say that they know nothing.
    for (const host of fabric().hosts) {
      const heard = async () => (await fabric().client(host).findings()).observers.fresh;
      await expect.poll(heard, patient).toBe(fabric().hosts.length - 1);
    }
  });

  test(
    'all name the dead link of four by its flows alone, and who traces one the spine',
    longTest,
    async () => {
      await fabric().drop('spine3', 'forward', 'oifname "leaf2"');
      // Echoes of some pairs are flows of the dead link: no finding of their own once the flows are known.
      await untilAllSay(fabric(), [{ kind: 'lossy', severity: 'degraded', zones, flows: {} }]);
      for (const host of fabric().hosts) {
        const [finding] = (await fabric().client(host).findings()).findings;
        const { failing = 0, tried = 0 } = finding?.flows ?? {};
        // A quarter is expected. Less than a twentieth, or more than half, comes less often than once in 10,000.
        expect(failing / tried).toBeGreaterThan(0.05);
        expect(failing / tried).toBeLessThan(0.5);
        const isBefore = host === 'h1' || host === 'h2';
        if (!isBefore || finding?.tracedBy?.includes(`lab/${host}`) !== true) continue;
        const trace = () => traceBy(host, finding.id);
        await expect.poll(async () => (await trace())?.port, patient).toBeDefined();
        expect(await trace()).toMatchObject({
          isReached: false,
          lastAnswering: { ttl: 2, address: router('spine3') },
          sibling: { hops: [{}, {}, {}, {}] },
          parting: { after: { ttl: 1, address: router('leaf1') }, next: { ttl: 2 } },
        });
        expect((await trace())?.parting?.next.address).not.toBe(router('spine3'));
      }
    },
  );

  test(
    'all name a pair that is cut one way, and the two say how far packets come',
    longTest,
    async () => {
      for (const spine of spines)
        await fabric().drop(`spine${spine}`, 'forward', onlyFrom('h1', 'h3'));
      await untilAllSay(fabric(), [pairOf('h1', 'h3')]);
      await expect.poll(() => traceBy('h1', 'pair:lab/h1,lab/h3'), patient).toBeDefined();
      const there = await traceBy('h1', 'pair:lab/h1,lab/h3');
      expect(there).toMatchObject({ isReached: false, lastAnswering: { ttl: 2 } });
      expect(spineAddresses()).toContain(there?.lastAnswering.address);
      const addresses = there?.sibling?.hops.map(({ address }) => address) ?? [];
      const at = spineAddresses().indexOf(addresses[1] ?? '');
      const expected = [router('leaf1'), spineAddresses()[at], fabric().secondLeaf[at]];
      expect(addresses).toEqual([...expected, fabric().address('h4')]);
      // By chance both paths go by the same spine.
      const isSame = addresses[1] === there?.lastAnswering.address;
      expect(there?.parting).toMatchObject({
        after: { address: addresses[isSame ? 1 : 0] },
        next: { address: addresses[isSame ? 2 : 1] },
      });
      // The answers to h3 are lost, so its packets come to the last router.
      await expect.poll(() => traceBy('h3', 'pair:lab/h1,lab/h3'), patient).toBeDefined();
      expect(await traceBy('h3', 'pair:lab/h1,lab/h3')).toMatchObject({
        isReached: false,
        lastAnswering: { ttl: 3 },
      });
    },
  );

  test(
    'two name the last hop that answers before and behind spines that answer nothing',
    longTest,
    async () => {
      for (const spine of spines) {
        await fabric().drop(`spine${spine}`, 'output', 'icmp type time-exceeded');
        await fabric().drop(`spine${spine}`, 'forward', onlyFrom('h2', 'h4'));
      }
      await fabric().drop('leaf2', 'forward', onlyFrom('h1', 'h3'));
      await untilAllSay(fabric(), [pairOf('h1', 'h3'), pairOf('h2', 'h4')]);
      await expect.poll(() => traceBy('h1', 'pair:lab/h1,lab/h3'), patient).toBeDefined();
      const behind = await traceBy('h1', 'pair:lab/h1,lab/h3');
      expect(behind?.hops.map(({ ttl }) => ttl)).toEqual([1, 3]);
      expect(fabric().secondLeaf).toContain(behind?.lastAnswering.address);
      await expect.poll(() => traceBy('h2', 'pair:lab/h2,lab/h4'), patient).toBeDefined();
      expect(await traceBy('h2', 'pair:lab/h2,lab/h4')).toMatchObject({
        lastAnswering: { ttl: 1, address: router('leaf1') },
        sibling: { to: 'lab/h3' },
        parting: { after: { ttl: 1 }, next: { ttl: 3 } },
      });
    },
  );
});
