import { afterAll } from 'vitest';
import { monitorEventLoop } from '../../../../agent/platform/event-loop.js';
import { createHttpProber } from '../../../../agent/probing/http/http-prober.js';
import { openIcmpEngine } from '../../../../agent/probing/icmp/engine.js';
import type { Prober } from '../../../../agent/probing/prober.js';

/**
 * Opens a prober of each protocol until the tests of the file have run. The one for ICMP is
 * undefined where the kernel engine is unavailable, with the reason beside it.
 */
export async function openProbers(): Promise<{
  readonly probers: readonly [string, Prober | undefined][];
  readonly unavailable: string;
}> {
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
  return { probers, unavailable: 'unavailable' in icmp ? icmp.unavailable : '' };
}
