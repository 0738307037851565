import { describe, expect, test } from 'vitest';
import { routers } from './lib/fabric-network.js';
import { spines, type FabricHost } from './lib/fabric-plan.js';
import { clusterName, type Family } from './lib/plan.js';
import { useFabric } from './lib/use-fabric.js';

// What two agents find out by themselves of large packets.
const hosts = ['h1', 'h2'] as const;

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
