import type { IcmpEngine } from '../probing/icmp/engine.js';
import type { ProtocolVitals } from '../probing/schedule/scheduler.js';
import type { Protocol } from '../model/sample.js';
import type { Check } from './checks.js';
import type { Report } from './health.js';

/** So many unsent probes in a row are more than a full buffer. */
const telling = 5;

/**
 * Whether probes with that protocol can be sent. Not a matter of liveness: what keeps them back
 * (no permission, no buffer, no descriptor on the machine) is there after a restart too.
 */
function senderCheck(
  name: Protocol,
  opened: Report,
  vitals: () => readonly ProtocolVitals[],
): Check {
  return {
    name,
    everyMs: 1000,
    timeoutMs: 10_000,
    allowedFailures: 10,
    live: false,
    ready: true,
    run() {
      const lane = vitals().find(({ protocol }) => protocol === name);
      if (lane === undefined || lane.notSentInARow < telling) return opened;
      const { notSentInARow, notSent } = lane;
      return {
        ok: false,
        message: `the last ${notSentInARow} probes could not be sent: ${notSent ?? ''}`,
      };
    },
  };
}

/** The ICMP sockets are open, or it is said why not: without the permission an agent is ready all the same. */
export function icmpCheck(icmp: IcmpEngine, vitals: () => readonly ProtocolVitals[]): Check {
  const opened: Report =
    'unavailable' in icmp
      ? { ok: true, message: icmp.unavailable, note: true }
      : { ok: true, message: `the ${icmp.name} engine is open` };
  return senderCheck('icmp', opened, vitals);
}

/** HTTP probes have sockets of their own each. */
export function httpCheck(vitals: () => readonly ProtocolVitals[]): Check {
  return senderCheck('http', { ok: true, message: 'probes can be sent' }, vitals);
}
