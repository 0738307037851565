import { randomInt } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { loadLibc, type Libc } from '../../../platform/libc.js';
import { MissingFamilies } from '../../missing-families.js';
import { createEchoProber, type EchoProber } from '../echo-prober.js';
import { sumOfCounts } from '../echo-tracker.js';
import { EchoChannel } from './echo-channel.js';
import { IcmpSocket } from './icmp-socket.js';
import { IcmpSocketError } from './open-icmp-socket.js';
import type { Family } from './socket-address.js';

/**
 * The ICMP engine of Linux. The RTT of a reply is the time from right before the send to the
 * kernel's own receive timestamp, whatever this process does meanwhile. If a step of the clock
 * makes that RTT impossible, the monotonic upper bound is used and marked as tainted.
 *
 * The kernel's transmit timestamps are not used: each would cost a read of the error queue, and the
 * timestamp right before the call is only some microseconds early (`npm run bench -- --only rtt`).
 * @throws Error that says what is missing: the library, the architecture, or the right to send ICMP
 */
export function createKernelProber(libc: Libc = loadLibc()): EchoProber {
  const missing = new MissingFamilies();
  // The socket before all else: the rest of a channel is large.
  const open = (family: Family) =>
    new EchoChannel(new IcmpSocket(libc, family, randomInt(1, 0x10000)));
  const channels = new Map<Family, EchoChannel>([[4, open(4)]]);
  const channelOf = (family: Family): EchoChannel => {
    const known = channels.get(family) ?? open(family);
    channels.set(family, known);
    return known;
  };
  return createEchoProber({
    echo(ip, timeoutMs, settle) {
      const family = isIPv6(ip) ? 6 : 4;
      const fault = missing.faultOf(family);
      if (fault) {
        settle(fault);
        return () => undefined;
      }
      try {
        return channelOf(family).echo(ip, timeoutMs, settle);
      } catch (error) {
        if (!(error instanceof IcmpSocketError)) throw error;
        const { reason, message: detail } = error;
        missing.add(family, { outcome: 'not-sent', reason, detail });
        settle({ outcome: 'not-sent', reason, detail });
        return () => undefined;
      }
    },
    counts: () => sumOfCounts([...channels.values()].map(({ counts }) => counts)),
    close() {
      for (const channel of channels.values()) channel.close();
    },
  });
}
