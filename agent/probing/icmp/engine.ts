import { messageOf } from '../../errors.js';
import type { Prober } from '../prober.js';
import { createNetPingProber } from './net-ping-engine.js';

export type IcmpEngineName = 'auto' | 'net-ping' | 'off';

/** A prober, or why there is none on this machine. */
export type IcmpEngine = { readonly prober: Prober } | { readonly unavailable: string };

/** Opens the ICMP engine of that name; `auto` is the best that works here. Never throws. */
export async function openIcmpEngine(name: IcmpEngineName): Promise<IcmpEngine> {
  if (name === 'off') return { unavailable: 'ICMP is switched off (icmp-engine)' };
  try {
    return { prober: await createNetPingProber() };
  } catch (error) {
    return { unavailable: explain(messageOf(error)) };
  }
}

function explain(message: string): string {
  if (/not permitted|denied/i.test(message)) {
    return 'no permission to send ICMP: run as root or grant CAP_NET_RAW';
  }
  if (/cannot find|build|raw\.node/i.test(message)) {
    return 'the net-ping package is not installed or did not build (it needs a C++ compiler)';
  }
  return `ICMP is not available: ${message.split('\n')[0] ?? ''}`;
}
