import type { KernelTime } from '../../probing/icmp/kernel/control-message.js';
import type { Libc } from '../../platform/libc.js';

const realtimeClock = 0;

/** When a packet was sent, on the clock of the kernel's timestamps and on the monotonic one. */
export interface SendTime extends KernelTime {
  readonly sentMs: number;
}

/** The time right before a send. */
export function readSendTime(libc: Libc): SendTime {
  const time = Buffer.alloc(16);
  const sentMs = performance.now();
  libc.clockGettime(realtimeClock, time);
  return {
    seconds: time.readUInt32LE(0) + time.readInt32LE(4) * 2 ** 32,
    nanoseconds: time.readUInt32LE(8),
    sentMs,
  };
}

/**
 * The round trip from the kernel's receive time. If that is missing or impossible, because the clock
 * was stepped, it is the monotonic upper bound.
 */
export function roundTripNs(sent: SendTime, received: KernelTime | undefined): number {
  const boundNs = Math.round((performance.now() - sent.sentMs) * 1e6);
  if (!received) return boundNs;
  const rttNs = (received.seconds - sent.seconds) * 1e9 + received.nanoseconds - sent.nanoseconds;
  return rttNs > 0 && rttNs <= boundNs ? rttNs : boundNs;
}
