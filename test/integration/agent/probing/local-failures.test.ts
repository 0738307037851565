import { afterAll, expect, test } from 'vitest';
import type { Sample } from '../../../../agent/model/sample.js';
import { monitorEventLoop } from '../../../../agent/platform/event-loop.js';
import { createHttpProber } from '../../../../agent/probing/http/http-prober.js';
import { openIcmpEngine } from '../../../../agent/probing/icmp/engine.js';
import type { Prober } from '../../../../agent/probing/prober.js';
import { pathTo } from './path-to.js';

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

test.for(probers)(
  'an %s probe that the kernel of this host refuses to send blames this host',
  async ([, prober], { skip }) => {
    if (!prober) return skip('unavailable' in icmp ? icmp.unavailable : '');
    if (process.platform !== 'linux') skip('other systems may give another error');
    // The kernel refuses the broadcast address at once, so nothing leaves this machine.
    const sample = await new Promise<Sample>((resolve) =>
      prober.probe(pathTo('255.255.255.255'), 500, resolve),
    );
    expect(sample).toMatchObject({ outcome: 'failure', kind: 'local' });
    expect(sample.outcome === 'failure' && sample.detail).toMatch(/^this host cannot send: /);
  },
);
