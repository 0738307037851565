import { afterAll, expect, test } from 'vitest';
import type { Sample } from '../../../../agent/model/sample.js';
import { monitorEventLoop } from '../../../../agent/platform/event-loop.js';
import { createHttpProber } from '../../../../agent/probing/http/http-prober.js';
import { openIcmpEngine } from '../../../../agent/probing/icmp/engine.js';
import type { Prober } from '../../../../agent/probing/prober.js';
import { denySockets } from './deny-sockets.js';
import { pathTo } from './path-to.js';

const isDenied = denySockets(10);
const eventLoop = monitorEventLoop();
const icmp = await openIcmpEngine('kernel', eventLoop);
const probers: [string, Prober | undefined][] = [
  ['ICMP', 'prober' in icmp ? icmp.prober : undefined],
  ['HTTP', createHttpProber({ port: 4240, eventLoop, readTcpInfo: () => undefined })],
];
afterAll(() => {
  for (const [, prober] of probers) prober?.close();
  eventLoop.stop();
});

const probe = (prober: Prober, ip: string) =>
  new Promise<Sample>((resolve) => prober.probe(pathTo(ip), 500, resolve));

test.for(probers)(
  'on a host without IPv6 an %s probe of such an address is not sent, and says why',
  async ([, prober], { skip }) => {
    if (!isDenied) skip('sockets cannot be denied to this process');
    if (!prober) return skip('unavailable' in icmp ? icmp.unavailable : '');
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
