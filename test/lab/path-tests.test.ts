import { describe, expect, test } from 'vitest';
import { spines } from './lib/fabric.js';
import { testFrom, useFabric } from './lib/use-fabric.js';

// IPv6, flows and the other faults are in path-tests.long.test.ts.
describe('two hosts with two leaves and four spines between them', () => {
  const fabric = useFabric(4);

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
