import { describe, expect, test } from 'vitest';
import { untilAllSay } from './lib/all-agents.js';
import { routers } from './lib/fabric-network.js';
import { spines, type FabricHost } from './lib/fabric-plan.js';
import { useFabric } from './lib/use-fabric.js';

const tooBig = 'icmp type destination-unreachable';
const longTest = { timeout: 200_000 };
const zones = ['zone-a', 'zone-b'];
const oneWay = 'bytes from zone zone-b to zone zone-a ';

describe('four hosts in two zones, with less room for packets between the zones', () => {
  const fabric = useFabric({ family: 4, hostsPerLeaf: 2 });

  test('all name the zones and the size where no router says so', longTest, async () => {
    await fabric().restart(fabric().hosts, async () => {
      await fabric().setMtu(1400);
      for (const router of routers) await fabric().drop(router, 'output', tooBig);
    });
    await untilAllSay(fabric(), [
      { kind: 'mtu', severity: 'degraded', zones, direction: 'both', size: 1400 },
    ]);
  });

  test('all say nothing where routers say so, and large packets pass', longTest, async () => {
    await fabric().restart(fabric().hosts, () => fabric().setMtu(1400));
    for (const host of fabric().hosts) {
      const states = () =>
        Promise.all(
          others(host).map(
            async (other) => (await fabric().client(host).node(other)).paths.host.large?.state,
          ),
        );
      await expect.poll(states, { timeout: 60_000 }).toEqual(['ok', 'ok', 'ok']);
    }
    const route = ['ip', 'route', 'get', fabric().address('h3')];
    expect(await fabric().runOn('h1', route)).toContain('mtu 1400');
    await untilAllSay(fabric(), []);
  });

  test('all name the direction where one way alone loses them', longTest, async () => {
    await fabric().restart(fabric().hosts, async () => {
      for (const spine of spines)
        await fabric().drop(`spine${spine}`, 'forward', 'iifname "leaf2" meta length > 1400');
    });
    await untilAllSay(fabric(), [
      { kind: 'mtu', zones, size: 1400, text: expect.stringContaining(oneWay) as string },
    ]);
  });

  function others(host: FabricHost) {
    return fabric().hosts.filter((one) => one !== host);
  }
});

describe('four hosts with an overlay whose interfaces believe that 1,500 bytes pass', () => {
  const fabric = useFabric({ family: 4, hostsPerLeaf: 2, overlayMtu: 1500 });

  test('all name the endpoint plane, the zones and the size that passes', longTest, async () => {
    await fabric().restart(fabric().hosts, async () => {
      for (const router of routers) await fabric().drop(router, 'output', tooBig);
    });
    const text = expect.stringContaining(
      'The interfaces say 1,500, exactly 50 more: as much as VXLAN over IPv4 takes, and those who tested have such a device',
    ) as string;
    await untilAllSay(fabric(), [{ kind: 'mtu', plane: 'endpoint', zones, size: 1450, text }]);
  });
});
