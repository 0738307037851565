import { expect, test } from 'vitest';
import type { Sample } from '../../../../../../agent/model/sample.js';
import { loadLibc, type Libc } from '../../../../../../agent/platform/libc.js';
import { openIcmpEngine } from '../../../../../../agent/probing/icmp/engine.js';
import { createKernelProber } from '../../../../../../agent/probing/icmp/kernel/kernel-engine.js';
import { monitorEventLoop } from '../../../../../../agent/platform/event-loop.js';
import { pathTo } from '../../path-to.js';

const errorQueue = 0x2000;
const [noRoute, wouldBlock] = [113, 11];

/**
 * The real C library with changed sends. Before each of the first sends, an ICMP error about
 * another packet arrives. The kernel reports the error by failing that send, and also puts it into
 * the error queue.
 */
function libcWithErrors(count: number): Libc {
  const libc = loadLibc();
  let [left, queued, errno] = [count, 0, 0];
  return {
    ...libc,
    sendto(...packet) {
      if (left === 0) return libc.sendto(...packet);
      left--;
      queued++;
      errno = noRoute;
      return -1;
    },
    recvmsg(fd, message, flags) {
      if ((flags & errorQueue) === 0 || queued === 0) return libc.recvmsg(fd, message, flags);
      queued--;
      errno = wouldBlock;
      return 0;
    },
    errno: () => (errno > 0 ? errno : libc.errno()),
  };
}

async function probeWith(errors: number): Promise<Sample> {
  const prober = createKernelProber(libcWithErrors(errors));
  const sample = await new Promise<Sample>((resolve) =>
    prober.probe(pathTo('127.0.0.1'), 2000, resolve),
  );
  prober.close();
  return sample;
}

test('errors about other packets that arrive one after the other fail no path', async ({
  skip,
}) => {
  const eventLoop = monitorEventLoop();
  const engine = await openIcmpEngine('kernel', eventLoop);
  eventLoop.stop();
  if ('unavailable' in engine) return skip(engine.unavailable);
  engine.prober.close();
  expect(await probeWith(1)).toMatchObject({ outcome: 'reply' });
  expect(await probeWith(5)).toMatchObject({ outcome: 'reply' });
  // Errors without end prevent the probe, but that is no failure of the path either.
  expect(await probeWith(Infinity)).toMatchObject({ outcome: 'not-sent', reason: 'other' });
});
