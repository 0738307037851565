import { describe, expect, test } from 'vitest';
import { routers } from './lib/fabric-network.js';
import { spines } from './lib/fabric-plan.js';
import { testFrom, useFabric } from './lib/use-fabric.js';

const icmpOf = {
  4: { tooBig: 'icmp type destination-unreachable', expired: 'icmp type time-exceeded' },
  6: { tooBig: 'icmpv6 type packet-too-big', expired: 'icmpv6 type time-exceeded' },
} as const;
const hosts = ['h1', 'h2'] as const;
/** A busy machine may lose a SYN. If each SYN were a flow of its own, 36 of 64 ports would lose some and not all. */
const mostLostBeside = 8;

for (const family of [4, 6] as const) {
  describe(`two hosts with four spines between them, by IPv${family}`, () => {
    const fabric = useFabric({ family });
    const { tooBig, expired } = icmpOf[family];

    for (const host of hosts) {
      for (const protocol of ['icmp', 'http'] as const) {
        test(`${host} traces the whole path by ${protocol}`, async () => {
          const { lines, end } = await testFrom(fabric(), host, 'trace', protocol);
          const hops = lines.filter(({ type }) => type === 'hop');
          expect(hops).toHaveLength(4);
          expect(end).toMatchObject({ isReached: true, lastAnswering: { ttl: 4 } });
        });

        test(`${host} traces by ${protocol} past hops that answer nothing`, async () => {
          for (const router of routers) await fabric().drop(router, 'output', expired);
          const { lines, end } = await testFrom(fabric(), host, 'trace', protocol);
          const answering = lines.flatMap((line) =>
            line.type === 'hop' && line.address !== undefined ? [line.ttl] : [],
          );
          expect(answering).toEqual([4]);
          expect(end).toMatchObject({ isReached: true });
        });

        test(`${host} names the last hop that answers by ${protocol} where all paths end`, async () => {
          const out = host === 'h1' ? 'leaf2' : 'leaf1';
          for (const spine of spines) {
            await fabric().drop(`spine${spine}`, 'forward', `oifname "${out}"`);
          }
          const { lines, end } = await testFrom(fabric(), host, 'trace', protocol);
          expect(lines.filter(({ type }) => type === 'hop')).toHaveLength(2);
          expect(end).toMatchObject({ isReached: false, lastAnswering: { ttl: 2 } });
        });
      }

      test(`${host} finds a limit that a router tells`, async () => {
        await fabric().setMtu(1410);
        const { end } = await testFrom(fabric(), host, 'mtu');
        expect(end).toMatchObject({ largestBytes: 1410, saidBy: { bytes: 1410 } });
      });

      test(`${host} finds a limit that nobody tells`, async () => {
        await fabric().setMtu(1410);
        for (const router of routers) await fabric().drop(router, 'output', tooBig);
        const { end } = await testFrom(fabric(), host, 'mtu');
        expect(end).toMatchObject({ largestBytes: 1410, smallestLostBytes: 1411 });
        expect(end.saidBy).toBeUndefined();
        expect(end.packets).toBeLessThanOrEqual(20);
      });
    }

    test('large packets are lost one way only: the end that sends them says so', async () => {
      // What comes back to h1 passes the same spines, and is not touched.
      for (const spine of spines) {
        await fabric().drop(`spine${spine}`, 'forward', 'iifname "leaf2" meta length > 1410');
      }
      const { end } = await testFrom(fabric(), 'h2', 'mtu');
      expect(end).toMatchObject({ result: 'limited', largestBytes: 1410 });
    });

    test('no flow fails in a fabric without faults', async () => {
      const { end } = await testFrom(fabric(), 'h1', 'flows');
      expect(end).toMatchObject({ result: 'passing', tried: 64, failing: 0, ports: [] });
    });

    test('one dead spine of four is sticky flows, from both ends', async () => {
      await fabric().drop('spine3', 'forward', 'tcp dport 4240');
      const both = await Promise.all(hosts.map((host) => testFrom(fabric(), host, 'flows')));
      for (const { end } of both) {
        // 16 of 64 are expected. 3 or fewer, or 33 or more, come less often than once in 100,000.
        expect(end).toMatchObject({ result: 'sticky', tried: 64 });
        expect(end.sometimes).toBeLessThan(mostLostBeside);
        expect(end.failing).toBeGreaterThan(3);
        expect(end.failing).toBeLessThan(33);
        expect(end.ports).toHaveLength(end.failing);
      }
    });

    test('losses that hit every flow alike are no sticky flows', async () => {
      for (const spine of spines) {
        const match = 'tcp dport 4240 numgen random mod 100 < 30';
        await fabric().drop(`spine${spine}`, 'forward', match);
      }
      const { end } = await testFrom(fabric(), 'h1', 'flows');
      expect(end.result).toBe('lossy');
    });
  });
}

describe('two hosts between which routers choose by the flow label of IPv6', () => {
  const fabric = useFabric({ family: 6 });
  /** Source and target address and flow label: what RFC 6438 asks of routers. */
  const byLabel = 'echo 0x0b >/proc/sys/net/ipv6/fib_multipath_hash_fields';

  test('one dead spine of four is sticky flows, as each port keeps its label', async () => {
    await fabric().runOn('leaf1', ['sh', '-e'], byLabel);
    // On the way there alone: the other end draws the labels of its answers.
    await fabric().drop('spine3', 'forward', 'iifname "leaf1" tcp dport 4240');
    const { end } = await testFrom(fabric(), 'h1', 'flows');
    expect(end).toMatchObject({ result: 'sticky', tried: 64 });
    expect(end.sometimes).toBeLessThan(mostLostBeside);
    expect(end.failing).toBeGreaterThan(3);
    expect(end.failing).toBeLessThan(33);
  });

  test('a trace by http is of one path', async () => {
    await fabric().runOn('leaf1', ['sh', '-e'], byLabel);
    for (let round = 0; round < 5; round++) {
      const { lines } = await testFrom(fabric(), 'h1', 'trace', 'http');
      const [, spine, secondLeaf] = lines.flatMap((line) =>
        line.type === 'hop' ? [line.address] : [],
      );
      const index = spines.findIndex((number) => fabric().router(`spine${number}`) === spine);
      expect(secondLeaf).toBe(fabric().secondLeaf[index]);
    }
  });
});

describe('tests of a path', () => {
  const fabric = useFabric({ family: 4 });

  test('four are made at once, a fifth is refused, and one that is cancelled makes room', async () => {
    const stopping = new AbortController();
    const client = fabric().client('h1', stopping.signal);
    const request = { node: 'h2', plane: 'host' } as const;
    const running = Array.from({ length: 4 }, () => client.testPath('flows', request));
    await Promise.all(running.map((lines) => lines.next()));
    const fifth = fabric().client('h1').testPath('flows', request);
    await expect(fifth.next()).rejects.toThrow('4 tests are under way, expected at most 4');
    stopping.abort();
    await expect
      .poll(async () => testFrom(fabric(), 'h1', 'mtu').then(({ end }) => end.result, String))
      .toBe('fits');
    await Promise.allSettled(running.map((lines) => lines.next()));
  });
});
