import { beforeEach, describe, expect, test } from 'vitest';
import { ChangeLog, type HostFact } from '../../../../agent/host/change-log.js';
import { nameserverFacts, routeFacts } from '../../../../agent/host/facts.js';

const mtu = (value: string, about = 'eth0'): HostFact => ({
  change: 'interface-mtu',
  about,
  value,
});

describe('what changes on a host', () => {
  let log: ChangeLog;
  beforeEach(() => (log = new ChangeLog()));

  test('is told with both values and the time within which it was made', () => {
    expect(log.compare([mtu('1500')], 0)).toBe(0);
    expect(log.compare([mtu('1500')], 10_000)).toBe(0);
    expect(log.compare([mtu('1400')], 20_000)).toBe(1);
    expect(log.changes(65_000)).toEqual([
      {
        change: 'interface-mtu',
        about: 'eth0',
        from: '1500',
        to: '1400',
        withinSeconds: 10,
        ageSeconds: 45,
      },
    ]);
  });

  test('is nothing when it is read for the first time, or could not be read meanwhile', () => {
    log.compare([mtu('1500')], 0);
    log.compare([], 10_000);
    expect(log.compare([mtu('1500'), mtu('9000', 'eth1')], 20_000)).toBe(0);
    expect(log.changes(20_000)).toEqual([]);
  });

  test('are the newest four, of the last hour alone', () => {
    log.note('rebooted', 0);
    log.note('agent-restarted', 5000, '0.2.0');
    const read = (value: string, atMs: number): void => {
      log.compare(
        [1, 2, 3].map((at) => mtu(`${value}${at}`, `eth${at}`)),
        atMs,
      );
    };
    read('140', 10_000);
    read('141', 11_000);
    log.note('agent-restarted', 12_000, '0.3.0');
    expect(log.changes(20_000).map(({ to }) => to)).toEqual(['0.3.0', '1413', '1412', '1411']);
    expect(log.changes(4_000_000)).toEqual([]);
  });

  test('leaves room for others where one comes again and again', () => {
    log.compare([mtu('1500'), mtu('1500', 'eth1')], 0);
    log.compare([mtu('1400'), mtu('1400', 'eth1')], 1000);
    for (let restart = 1; restart <= 5; restart++) {
      const [change, foundMs] = ['kube-proxy-pod', 1000 + restart * 1000] as const;
      const to = `v1.34.1, restart ${restart}`;
      const told = { change, about: 'kube-proxy', from: 'v1.34.1', to, foundMs, withinSeconds: 1 };
      log.noteChange(told);
    }
    expect(
      log
        .changes(7000)
        .map(({ about }) => about)
        .sort(),
    ).toEqual(['eth0', 'eth1', 'kube-proxy', 'kube-proxy']);
  });

  test('leaves room for others where one that is read comes and goes', () => {
    const link = (value: string): HostFact => ({ change: 'interface-down', about: 'eth0', value });
    log.compare([mtu('1500'), link('up')], 0);
    log.compare([mtu('1400')], 1000);
    for (let at = 0; at < 6; at++) log.compare([link(at % 2 ? 'up' : 'down')], 2000 + 1000 * at);
    expect(log.changes(9000).map(({ change }) => change)).toEqual([
      'interface-down',
      'interface-down',
      'interface-mtu',
    ]);
  });

  test('of long lists are told by what differs', () => {
    const addresses = (...ends: readonly number[]): HostFact => {
      const value = ends.map((end) => `192.0.2.${end}/32`).join(', ');
      return { change: 'address', about: 'eth0', value };
    };
    log.compare([addresses(10, 11, 12, 13, 14)], 0);
    log.compare([addresses(10, 11, 12, 14, 15)], 1000);
    expect(log.changes(1000)).toMatchObject([
      { from: '..., 192.0.2.13/32', to: '..., 192.0.2.15/32' },
    ]);
  });

  test('tells no text that a row could not carry', () => {
    log.compare([mtu('1500\0'), mtu('1', 'e\u001b')], 0);
    log.compare([mtu(`1${'0'.repeat(200)}`), mtu('2', 'e\u001b')], 1000);
    expect(log.changes(1000)).toMatchObject([{ from: '?', to: `1${'0'.repeat(60)}...` }]);
  });
});

test('the default routes are those without a destination', () => {
  const text = `Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0
eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
`;
  expect(routeFacts(text)).toMatchObject([{ change: 'route', value: '192.0.2.1 by eth0' }]);
  expect(routeFacts('')).toMatchObject([{ value: '' }]);
  expect(routeFacts(undefined)).toBeUndefined();
});

test('the nameservers are told in their order', () => {
  const text = 'search x\n# nameserver 192.0.2.9\nnameserver 192.0.2.1\n nameserver\tfd00::1\n';
  expect(nameserverFacts(text)).toMatchObject([{ value: '192.0.2.1, fd00::1' }]);
  expect(nameserverFacts(undefined)).toBeUndefined();
});
