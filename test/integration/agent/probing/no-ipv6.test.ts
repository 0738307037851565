import { expect, test } from 'vitest';
import type { Sample } from '../../../../agent/model/sample.js';
import type { Prober } from '../../../../agent/probing/prober.js';
import { denySockets } from './deny-sockets.js';
import { openProbers } from './open-probers.js';
import { pathTo } from './path-to.js';

const isDenied = denySockets(10);
const { probers, unavailable } = await openProbers();

const probe = (prober: Prober, ip: string) =>
  new Promise<Sample>((resolve) => prober.probe(pathTo(ip), 500, resolve));

test.for(probers)(
  'on a host without IPv6 an %s probe of such an address is not sent, and says why',
  async ([, prober], { skip }) => {
    if (!isDenied) skip('sockets cannot be denied to this process');
    if (!prober) return skip(unavailable);
    const samples: Sample[] = [];
    const before = process.memoryUsage().arrayBuffers;
    let allocatedBytes = 0;
    for (let i = 0; i < 40; i++) {
      samples.push(await probe(prober, '2001:db8::1'));
      allocatedBytes = Math.max(allocatedBytes, process.memoryUsage().arrayBuffers - before);
    }
    for (const sample of samples) {
      expect(sample).toMatchObject({ outcome: 'not-sent', reason: 'no-family' });
      expect(sample.outcome === 'not-sent' && sample.detail).toMatch(/^this host/);
    }
    // The buffers of one engine for a family take more than half a megabyte.
    expect(allocatedBytes).toBeLessThan(500_000);
  },
);
