import { beforeEach, describe, expect, test } from 'vitest';
import { majorityOffsetMs, PeerClocks } from '../../../../agent/host/sources/peer-clocks.js';
import type { Measure } from '../../../../agent/host/measure.js';

/** A host whose clock can be set, and peers that answer it. */
class Host {
  #nowMs = 1000;
  #aheadMs = 1.7e12;
  readonly removed = new Set<string>();
  readonly clocks = new PeerClocks(
    { nowMs: () => this.#nowMs, wallMs: () => this.#nowMs + this.#aheadMs },
    (peer) => !this.removed.has(peer),
  );

  pass(ms: number): void {
    this.#nowMs += ms;
  }

  setClock(byMs: number): void {
    this.#aheadMs += byMs;
  }

  /** A peer answers whose clock is so far ahead; what is left out takes a millisecond. */
  answer(peer: string, offsetMs: number, { thereMs = 1, heldMs = 0, backMs = 1 } = {}): void {
    const sentMs = this.#nowMs;
    const receivedMs = sentMs + this.#aheadMs + thereMs + offsetMs;
    this.#nowMs += thereMs + heldMs + backMs;
    this.clocks.note(peer, { sentMs, receivedMs: this.#nowMs }, { receivedMs, heldMs });
  }

  answers(...offsetsMs: readonly number[]): void {
    for (const [index, offsetMs] of offsetsMs.entries()) this.answer(`c/n${index}`, offsetMs);
  }

  /** How far the own clock is ahead of the majority; undefined where nobody knows. */
  async aheadMs(): Promise<number | undefined> {
    const read = await this.clocks.read();
    const of = (about: string) => read.find((one: Measure) => one.about === about);
    const [ahead, behind] = [of('ahead'), of('behind')];
    if (!ahead || !behind || !('value' in ahead) || !('value' in behind)) return undefined;
    return ahead.value - behind.value;
  }
}

describe('the clock of a host', () => {
  let host: Host;
  beforeEach(() => (host = new Host()));

  test('is compared with the median of all clocks, whatever time the answers take', async () => {
    host.answer('c/n1', 700, { thereMs: 20, heldMs: 150, backMs: 20 });
    host.answer('c/n2', 700, { heldMs: 90 });
    expect(await host.aheadMs()).toBe(-700);
    host.answer('c/n3', -3000);
    expect(await host.aheadMs()).toBe(undefined);
    host.answer('c/n4', 700);
    expect(await host.aheadMs()).toBe(-700);
  });

  test('is known from two peers on', async () => {
    expect(await host.aheadMs()).toBeUndefined();
    expect(host.clocks.because()).toMatch(/2 other agents, and those of 0 are known/);
    host.answers(5000);
    expect(await host.aheadMs()).toBeUndefined();
    host.answers(5000, 5000);
    expect(await host.aheadMs()).toBe(-5000);
    expect(host.clocks.because()).toBeUndefined();
  });

  test('is well where one peer is the odd one, however far that is off', async () => {
    for (const far of [-1e12, -600, 600, 1e14]) {
      const host = new Host();
      host.answers(far, 3, -2);
      expect(Math.abs((await host.aheadMs()) ?? NaN)).toBeLessThanOrEqual(3);
    }
  });

  test('is not moved by fewer than half of all clocks that lie', async () => {
    host.answers(0, 0, 1, 9e14, 9e14, 9e14);
    expect(Math.abs((await host.aheadMs()) ?? NaN)).toBeLessThanOrEqual(1);
  });

  test('is not judged where half of the clocks say something else than the other half', async () => {
    host.answers(0, 5000, 5000);
    expect(await host.aheadMs()).toBeUndefined();
    expect(host.clocks.because()).toMatch(/3 other agents and this one differ, and no majority/);
  });

  test('is judged by the sample of least RTT of a minute, and by the next one after it', async () => {
    host.answers(0, 0);
    // A late answer says less: this one would be wrong by 190 ms.
    for (const peer of ['c/n0', 'c/n1']) host.answer(peer, 0, { thereMs: 381 });
    expect(await host.aheadMs()).toBe(0);
    host.pass(60_000);
    for (const peer of ['c/n0', 'c/n1']) host.answer(peer, 0, { thereMs: 381 });
    expect(await host.aheadMs()).toBe(-190);
  });

  test('is compared anew after somebody set it, or the host was suspended', async () => {
    host.answers(0, 0);
    host.setClock(5000);
    expect(await host.aheadMs()).toBeUndefined();
    host.answers(-5000, -5000);
    expect(await host.aheadMs()).toBe(5000);
  });

  test('is not compared with those of peers that left the list', async () => {
    host.answers(5000, 5000, 5000, 0);
    expect(await host.aheadMs()).toBe(-5000);
    host.removed.add('c/n0').add('c/n1');
    host.answer('c/n4', 0);
    expect(await host.aheadMs()).toBe(0);
  });

  test('is not known from answers of ten minutes ago', async () => {
    host.answers(0, 0);
    host.pass(600_001);
    expect(await host.aheadMs()).toBeUndefined();
  });

  test.each([
    ['a long RTT', { thereMs: 300, backMs: 101 }],
    ['a hold that is longer than the exchange', { thereMs: 1, heldMs: 5, backMs: -4 }],
    ['no number', { thereMs: NaN }],
    ['no time', { thereMs: Infinity }],
  ])('is not known from an answer with %s', async (_, takes) => {
    for (const peer of ['c/n1', 'c/n2', 'c/n3']) host.answer(peer, 5000, takes);
    expect((await host.clocks.read()).length).toBe(0);
  });

  test('is judged by the 64 peers that answered last', async () => {
    for (let peer = 0; peer < 1000; peer++) host.answer(`c/old${peer}`, 0);
    for (let peer = 0; peer < 64; peer++) host.answer(`c/new${peer}`, 700);
    expect(await host.aheadMs()).toBe(-700);
  });
});

describe('the majority of clocks', () => {
  test.each([
    [[5000, 5000], 5000],
    [[-5000, 0], 0],
    [[499, 499, 0], 0],
    [[5000], 'split'],
    [[5000, 7000], 5000],
    [[5000, 5300, 5600], 5000],
    [[-900, 900], 0],
  ])('of %j is %j', (offsets, said) => {
    expect(majorityOffsetMs(offsets)).toBe(said);
  });
});
