import { describe, expect, test } from 'vitest';
import { spines } from './lib/fabric-plan.js';
import { testFrom, useFabric } from './lib/use-fabric.js';

const patient = { timeout: 30_000, interval: 200 };
const pairs = [
  ['h1', 'h2'],
  ['h2', 'h1'],
] as const;

function chainOf(rule: string): string {
  return `chain sent { type filter hook output priority 0; ${rule}; }`;
}

// IPv6, flows and the other faults are in path-tests.long.test.ts.
describe('two hosts with two leaves and four spines between them', () => {
  const fabric = useFabric({ family: 4 });

  for (const protocol of ['icmp', 'http'] as const) {
    test(`a trace by ${protocol} names the leaf, a spine, the other leaf and the host`, async () => {
      const { lines, end } = await testFrom(fabric(), 'h1', 'trace', protocol);
      const addresses = lines.flatMap((line) => (line.type === 'hop' ? [line.address] : []));
      const [leaf, spine, secondLeaf, host] = addresses;
      expect(addresses).toHaveLength(4);
      expect(leaf).toBe(fabric().router('leaf1'));
      expect(spines.map((number) => fabric().router(`spine${number}`))).toContain(spine);
      expect(fabric().secondLeaf).toContain(secondLeaf);
      expect(host).toBe(fabric().address('h2'));
      expect(end).toMatchObject({ isReached: true, lastAnswering: { ttl: 4 } });
    });
  }

  test('the usual hops are those of the trace, and a lasting change is an event', async () => {
    for (const [host, other] of pairs) {
      const hops = async () => (await fabric().client(host).node(other)).paths.host.hops;
      await expect.poll(hops, patient).toBe(4);
    }
    // As if the way back had two more routers.
    const table = 'table ip longer';
    const shorter = 'icmp type echo-reply ip ttl set 62';
    await fabric().runOn('h2', ['nft', '-f', '-'], `${table} {\n${chainOf(shorter)}\n}\n`);
    const client = fabric().client('h1');
    try {
      const hops = async () => (await client.node('h2')).paths.host.hops;
      await expect.poll(hops, patient).toBe(6);
    } finally {
      await fabric().runOn('h2', ['nft', 'delete', ...table.split(' ')]);
    }
    const changes = [];
    for await (const { event } of client.events({ after: 0, follow: false })) {
      if (event?.type === 'hops') changes.push(event);
    }
    const address = fabric().address('h2');
    const change = { node: 'lab/h2', plane: 'host', address, previousHops: 4, hops: 6 };
    expect(changes[0]).toMatchObject(change);
  });

  test('the largest packet passes', async () => {
    const { end } = await testFrom(fabric(), 'h1', 'mtu');
    expect(end).toMatchObject({ result: 'fits', largestBytes: 1500, packets: 2 });
  });

  test('a middle of 1,400 bytes is found, and the router that says so', async () => {
    await fabric().setMtu(1400);
    const { end } = await testFrom(fabric(), 'h1', 'mtu');
    expect(end).toMatchObject({ result: 'limited', largestBytes: 1400, smallestLostBytes: 1401 });
    expect(end.saidBy?.bytes).toBe(1400);
    expect(spines.map((spine) => fabric().router(`spine${spine}`))).toContain(end.saidBy?.address);
  });

  test('a middle of 1,400 bytes is found where nobody says so', async () => {
    await fabric().setMtu(1400);
    for (const spine of spines) {
      await fabric().drop(`spine${spine}`, 'output', 'icmp type destination-unreachable');
    }
    const { end } = await testFrom(fabric(), 'h1', 'mtu');
    expect(end).toMatchObject({ result: 'limited', largestBytes: 1400, smallestLostBytes: 1401 });
    expect([end.saidBy, end.interfaceBytes]).toEqual([undefined, 1500]);
  });
});
