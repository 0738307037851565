import type { IcmpEngine } from '../probing/icmp/engine.js';
import type { ProtocolStats } from '../probing/schedule/scheduler.js';
import type { Protocol } from '../model/sample.js';
import type { Check } from './checks.js';
import type { Report } from './health.js';

/** So many unsent probes in a row mean more than a full buffer. */
const minUnsentInARow = 5;

/**
 * Whether probes with that protocol can be sent. It does not count for liveness: a restart does not
 * bring a permission, a buffer or a descriptor.
 */
function senderCheck(name: Protocol, opened: Report, stats: () => readonly ProtocolStats[]): Check {
  return {
    name,
    everyMs: 1000,
    timeoutMs: 10_000,
    allowedFailures: 10,
    live: false,
    ready: true,
    run() {
      const sender = stats().find(({ protocol }) => protocol === name);
      if (sender === undefined || sender.notSentInARow < minUnsentInARow) return opened;
      const { notSentInARow, notSent } = sender;
      return {
        ok: false,
        message: `the last ${notSentInARow} probes could not be sent: ${notSent ?? ''}`,
      };
    },
  };
}

/**
 * Whether the ICMP sockets are open, or why not. An agent without the permission is ready all the
 * same.
 */
export function icmpCheck(icmp: IcmpEngine, stats: () => readonly ProtocolStats[]): Check {
  const opened: Report =
    'unavailable' in icmp
      ? { ok: true, message: icmp.unavailable, note: true }
      : { ok: true, message: `the ${icmp.name} engine is open` };
  return senderCheck('icmp', opened, stats);
}

/** Each HTTP probe has its own socket. */
export function httpCheck(stats: () => readonly ProtocolStats[]): Check {
  return senderCheck('http', { ok: true, message: 'probes can be sent' }, stats);
}
