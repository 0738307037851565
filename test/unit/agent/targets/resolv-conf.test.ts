import { expect, test } from 'vitest';
import { clusterDomainOf, parseResolvConf } from '../../../../agent/targets/probers/resolv-conf.js';

test('reads what the kubelet writes for a pod', () => {
  const conf = parseResolvConf(
    'search default.svc.cluster.example svc.cluster.example cluster.example corp.example\nnameserver 10.96.0.10\noptions ndots:5\n',
  );
  expect(conf).toEqual({
    nameservers: ['10.96.0.10'],
    search: [
      'default.svc.cluster.example',
      'svc.cluster.example',
      'cluster.example',
      'corp.example',
    ],
    ndots: 5,
  });
  expect(clusterDomainOf(conf)).toBe('cluster.example');
});

test('knows no cluster from what a host has', () => {
  const conf = parseResolvConf(
    '# a comment\nnameserver 198.51.100.53\nnameserver 2001:db8::53\nsearch a.example\ndomain Corp.Example.\n',
  );
  expect(conf).toEqual({
    nameservers: ['198.51.100.53', '2001:db8::53'],
    search: ['corp.example'],
    ndots: 1,
  });
  expect(clusterDomainOf(conf)).toBeUndefined();
});

test('leaves out what it cannot use, and what is too much', () => {
  const servers = Array.from({ length: 20 }, (_, i) => `nameserver 198.51.100.${i}`).join('\n');
  const text = `nameserver\nnameserver ns.example\nnameserver fe80::1%eth0\n${servers}\noptions ndots:99 ndots:x rotate\nsearch . ..\n\0\xff`;
  expect(parseResolvConf(text)).toMatchObject({ search: [], ndots: 15 });
  expect(parseResolvConf(text).nameservers).toHaveLength(8);
});
