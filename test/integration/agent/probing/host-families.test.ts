import { execFileSync } from 'node:child_process';
import { expect, test, vi } from 'vitest';
import type { Sample } from '../../../../agent/model/sample.js';
import { ownAddresses } from '../../../../agent/platform/own-addresses.js';
import { lacksFamilyOf } from '../../../../agent/probing/host-families.js';
import { enterNetworkNamespace } from './network-namespace.js';
import { openProbers } from './open-probers.js';
import { pathTo } from './path-to.js';

const isAlone = enterNetworkNamespace();
const { probers, unavailable } = await openProbers();
const ip = (...args: readonly string[]) => execFileSync('ip', args);

test.for(probers)(
  'on a host that has IPv4 and a link-local address alone an %s probe of another IPv6 address lacks the family',
  async ([name, prober], { skip }) => {
    if (!isAlone) skip('this process may not make a network namespace');
    if (!prober) return skip(unavailable);
    const [device, peer] = [`d${name}`, `p${name}`];
    ip('link', 'add', device, 'type', 'veth', 'peer', 'name', peer);
    ip('link', 'set', peer, 'up');
    ip('address', 'add', '198.51.100.1/24', 'dev', device);
    ip('link', 'set', device, 'up');
    await vi.waitFor(() => {
      expect(ownAddresses()?.map(({ address }) => address.slice(0, 6))).toContain('fe80::');
    });
    const sample = await new Promise<Sample>((resolve) =>
      prober.probe(pathTo('2001:db8::1'), 500, resolve),
    );
    expect(sample).toMatchObject({ outcome: 'not-sent', reason: 'no-family' });
    expect(lacksFamilyOf('2001:db8::1')).toBe(true);
    expect(lacksFamilyOf('fe80::2')).toBe(false);
    expect(lacksFamilyOf('198.51.100.2')).toBe(false);
    ip('link', 'del', device);
  },
);
