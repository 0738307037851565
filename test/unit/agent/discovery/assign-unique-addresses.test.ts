import { describe, expect, test } from 'vitest';
import { assignUniqueAddresses } from '../../../../agent/discovery/assign-unique-addresses.js';
import type { Node } from '../../../../agent/model/node.js';

const node = (name: string, host: readonly string[], endpoint: readonly string[] = []): Node => ({
  name,
  host,
  endpoint,
  lifecycle: { phase: 'active' },
});
const ips = (count: number, prefix = '198.51.100.') =>
  Array.from({ length: count }, (_, n) => `${prefix}${n + 1}`);

describe('addresses that several nodes claim', () => {
  test('stay with those whose first ones they are, however many one node claims', () => {
    const victims = ips(63).map((ip, n) => node(`c/v${n}`, [ip]));
    const liar = node('c/liar', ['203.0.113.9', ...ips(63)]);
    // The older one comes first, so it would get all of them.
    const [first, ...rest] = assignUniqueAddresses([liar, ...victims]);
    expect(rest).toEqual(victims);
    expect(first?.host).toEqual(['203.0.113.9']);
    expect(first?.lost).toHaveLength(63);
    expect(first?.lost?.[0]).toEqual({ ip: '198.51.100.1', holder: 'c/v0' });
    expect(first?.lifecycle).toEqual({
      phase: 'active',
      reason: 'address 198.51.100.1 belongs to c/v0',
    });
  });

  test('stay with those whose first ones of a family they are', () => {
    const victim = node('c/v', ['198.51.100.1', '2001:db8::1']);
    const liar = node('c/liar', ['203.0.113.9', '2001:db8::9', '2001:db8::1']);
    const [, found] = assignUniqueAddresses([liar, victim]);
    expect(found).toEqual(victim);
  });

  test('exclude the later one of two that have the same first one, which loses no other', () => {
    const heir = node('c/heir', ['198.51.100.1', '203.0.113.1']);
    const late = node('c/late', ['198.51.100.1', '203.0.113.2']);
    expect(assignUniqueAddresses([heir, late])).toEqual([
      heir,
      {
        ...late,
        host: ['203.0.113.2'],
        lifecycle: { phase: 'excluded', reason: 'address 198.51.100.1 belongs to c/heir' },
        lost: [{ ip: '198.51.100.1', holder: 'c/heir' }],
      },
    ]);
  });

  test('stay with a host before they go to an endpoint', () => {
    const pod = node('c/pod', ['198.51.100.2'], ['198.51.100.1', '10.244.0.2']);
    const host = node('c/host', ['198.51.100.1']);
    const [found] = assignUniqueAddresses([pod, host]);
    expect(found?.endpoint).toEqual(['10.244.0.2']);
    expect(found?.lost).toEqual([{ ip: '198.51.100.1', holder: 'c/host' }]);
  });

  test('are noted once more where several clusters are merged', () => {
    const [, late] = assignUniqueAddresses([
      node('a/heir', ['198.51.100.1']),
      node('a/late', ['203.0.113.2', '198.51.100.1']),
    ]);
    if (!late) throw new Error('expected two nodes');
    const [, merged] = assignUniqueAddresses([node('b/n', ['203.0.113.2']), late]);
    expect(merged?.lost).toEqual([
      { ip: '198.51.100.1', holder: 'a/heir' },
      { ip: '203.0.113.2', holder: 'b/n' },
    ]);
  });
});
