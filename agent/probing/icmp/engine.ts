import { messageOf } from '../../platform/errors.js';
import type { EventLoop } from '../../platform/event-loop.js';
import type { EchoProber } from './echo-prober.js';
import { IcmpSocketError } from './kernel/open-icmp-socket.js';

/** A prober and its name, or why this machine has none. */
export type IcmpEngine =
  | {
      readonly prober: EchoProber;
      readonly name: 'kernel' | 'net-ping';
      readonly fallbackReason?: string;
    }
  | {
      readonly unavailable: string;
      /** The same in two or three words. */
      readonly brief?: string;
    };

const noPermission = 'no permission';

/**
 * Opens the ICMP engine of that name; `auto` is the kernel engine and, where that does not load or
 * has no permission, net-ping. Never throws.
 */
export async function openIcmpEngine(
  name: 'auto' | 'kernel' | 'net-ping' | 'off',
  eventLoop: EventLoop,
): Promise<IcmpEngine> {
  if (name === 'off') {
    return { unavailable: 'ICMP is switched off (icmp-engine)', brief: 'switched off' };
  }
  if (name === 'net-ping') return openNetPing(eventLoop);
  const kernel = await openKernel();
  if (name === 'kernel' || 'prober' in kernel) return kernel;
  const netPing = await openNetPing(eventLoop);
  // The kernel engine's error names both ways to get the permission; that of net-ping names one.
  return 'prober' in netPing ? { ...netPing, fallbackReason: kernel.unavailable } : kernel;
}

async function openKernel(): Promise<IcmpEngine> {
  try {
    const { createKernelProber } = await import('./kernel/kernel-engine.js');
    return { prober: createKernelProber(), name: 'kernel' };
  } catch (error) {
    const isForbidden = error instanceof IcmpSocketError && error.reason === 'no-permission';
    return {
      unavailable: firstLine(messageOf(error)),
      ...(isForbidden && { brief: noPermission }),
    };
  }
}

async function openNetPing(eventLoop: EventLoop): Promise<IcmpEngine> {
  try {
    const { createNetPingProber } = await import('./net-ping-engine.js');
    return { prober: await createNetPingProber(eventLoop), name: 'net-ping' };
  } catch (error) {
    const message = firstLine(messageOf(error));
    if (/not permitted|denied/i.test(message)) {
      return {
        unavailable: 'no permission to send ICMP: run as root or grant CAP_NET_RAW',
        brief: noPermission,
      };
    }
    if (/cannot find|build|raw\.node/i.test(message)) {
      return {
        unavailable: 'net-ping is not installed or did not build (it needs a C++ compiler)',
      };
    }
    return { unavailable: `ICMP is not available: ${message}` };
  }
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
