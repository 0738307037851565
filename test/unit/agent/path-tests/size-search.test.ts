import { describe, expect, test } from 'vitest';
import {
  maxPackets,
  SizeSearch,
  type SizeLimit,
  type SizeResult,
} from '../../../../agent/path-tests/mtu/size-search.js';
import { Random } from '../../../fuzz/random.js';

/** Searches against a network, and returns what was found and the sizes that were sent. */
function search(
  maxBytes: number,
  network: (bytes: number, packet: number) => SizeResult,
  family: 4 | 6 = 4,
): SizeLimit & { readonly sizes: number[] } {
  const sizes: number[] = [];
  const found = new SizeSearch(maxBytes, family);
  for (let bytes; (bytes = found.next()) !== undefined;) {
    sizes.push(bytes);
    if (sizes.length > 100) throw new Error('the search does not end');
    found.take(bytes, network(bytes, sizes.length));
  }
  return { ...found.limit(), sizes };
}

const silent = (mtu: number) => (bytes: number) => (bytes <= mtu ? 'answered' : 'lost');
const router = (bytes: number) => ({ router: { address: '192.0.2.1', bytes } });
const honest = (mtu: number) => (bytes: number) => (bytes <= mtu ? 'answered' : router(mtu));

describe('the search for the largest packet', () => {
  test('takes two packets where the largest passes', () => {
    const { result, sizes } = search(1500, silent(1500));
    expect([result, sizes]).toEqual(['fits', [96, 1500]]);
  });

  test('finds the limit of a path that loses packets by chance too', () => {
    const random = new Random(7);
    const found = Array.from({ length: 500 }, () =>
      search(1500, (bytes) => (bytes <= 1450 && random.next() >= 0.02 ? 'answered' : 'lost')),
    );
    const isWrong = ({ largestBytes, smallestLostBytes }: SizeLimit) =>
      largestBytes !== undefined && smallestLostBytes !== undefined && smallestLostBytes <= 1450;
    expect(found.filter(isWrong).length).toBeLessThanOrEqual(10);
  });

  test('finds every limit from 1,280 to 1,499 where packets vanish, to the byte, in twenty packets', () => {
    for (let mtu = 1280; mtu < 1500; mtu++) {
      const { result, largestBytes, smallestLostBytes, packets, saidBy } = search(
        1500,
        silent(mtu),
      );
      expect([mtu, result, largestBytes, smallestLostBytes, saidBy]).toEqual([
        mtu,
        'limited',
        mtu,
        mtu + 1,
        undefined,
      ]);
      expect(packets).toBeLessThanOrEqual(maxPackets);
    }
  });

  test('brackets every other limit, of small links and of jumbo frames', () => {
    for (const max of [1500, 9000, 65_535]) {
      for (let mtu = 96; mtu < max; mtu += 37) {
        const { largestBytes = 0, smallestLostBytes = 0, packets } = search(max, silent(mtu));
        expect(largestBytes).toBeLessThanOrEqual(mtu);
        expect(smallestLostBytes).toBeGreaterThan(mtu);
        expect(packets).toBeLessThanOrEqual(maxPackets);
      }
    }
  });

  test('takes four packets where a router says its MTU and that is true', () => {
    const found = search(1500, honest(1400));
    expect(found.sizes).toEqual([96, 1500, 1400, 1401]);
    expect(found).toMatchObject({ largestBytes: 1400, smallestLostBytes: 1401 });
    expect(found.saidBy).toEqual({ address: '192.0.2.1', bytes: 1400 });
    expect(found.untrue).toBeUndefined();
  });

  test('follows two routers, of which the second has less', () => {
    const found = search(1500, (bytes) => {
      if (bytes > 1450) return router(1450);
      return bytes > 1400 ? { router: { address: '192.0.2.2', bytes: 1400 } } : 'answered';
    });
    expect(found.largestBytes).toBe(1400);
    expect(found.saidBy).toEqual({ address: '192.0.2.2', bytes: 1400 });
  });

  test('does not believe a router that names 68, and names it', () => {
    const found = search(1500, (bytes) => (bytes <= 1400 ? 'answered' : router(68)));
    expect(found).toMatchObject({ result: 'limited', largestBytes: 1400, smallestLostBytes: 1401 });
    expect(found.saidBy).toBeUndefined();
    expect(found.untrue).toEqual({ address: '192.0.2.1', bytes: 68 });
  });

  test('does not take one forged word for a limit', () => {
    const found = search(1500, (_, packet) => (packet === 2 ? router(576) : 'answered'));
    expect(found.largestBytes).toBeGreaterThan(576);
    expect(found.saidBy).toBeUndefined();
  });

  test('sends the largest once more, as it may be lost by chance', () => {
    const { result, sizes } = search(1500, (_, packet) => (packet === 2 ? 'lost' : 'answered'));
    expect([result, sizes]).toEqual(['fits', [96, 1500, 1500]]);
  });

  test('says nothing of sizes where small packets are not answered', () => {
    const { result, sizes } = search(1500, () => 'lost');
    expect([result, sizes]).toEqual(['unanswered', [96, 96, 96]]);
  });

  test('knows which MTUs a router may name', () => {
    const possible = (family: 4 | 6, said: number) =>
      new SizeSearch(1500, family).isPossible(said, 1400);
    expect([0, 67, 1400, 1401].map((said) => possible(4, said))).toEqual(Array(4).fill(false));
    expect([68, 1399].map((said) => possible(4, said))).toEqual([true, true]);
    expect([68, 1279, 1280].map((said) => possible(6, said))).toEqual([false, false, true]);
  });
});
