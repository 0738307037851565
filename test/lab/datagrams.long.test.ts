import { describe, expect, test } from 'vitest';
import { useFabric } from './lib/use-fabric.js';

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
