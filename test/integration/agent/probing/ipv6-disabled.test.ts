import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Sample } from '../../../../agent/model/sample.js';
import { enterNetworkNamespace } from './network-namespace.js';
import { openProbers } from './open-probers.js';
import { pathTo } from './path-to.js';

const isAlone = enterNetworkNamespace();
if (isAlone) writeFileSync('/proc/sys/net/ipv6/conf/all/disable_ipv6', '1');
const { probers, unavailable } = await openProbers();

test.for(probers)(
  'on a host that has disabled IPv6 an %s probe of such an address lacks the family, and no port',
  async ([, prober], { skip }) => {
    if (!isAlone) skip('this process may not make a network namespace');
    if (!prober) return skip(unavailable);
    for (const ip of ['2001:db8::1', '::1']) {
      const sample = await new Promise<Sample>((resolve) => prober.probe(pathTo(ip), 500, resolve));
      expect(sample).toMatchObject({
        outcome: 'not-sent',
        reason: 'no-family',
        detail: 'this host lacks that address family',
      });
    }
  },
);
