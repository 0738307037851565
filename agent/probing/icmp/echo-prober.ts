import { messageOf } from '../../platform/errors.js';
import type { Prober } from '../prober.js';
import type { Outcome } from '../../model/sample.js';
import type { EchoCounts } from './echo-tracker.js';

/** The sending half of an ICMP engine. */
export interface EchoSender {
  /**
   * Sends one echo and settles it once, after `timeoutMs` at the latest. Returns a function that
   * cancels it.
   * @throws Error where nothing can be sent to that address from this host
   */
  echo(ip: string, timeoutMs: number, settle: (outcome: Outcome) => void): () => void;
  counts(): EchoCounts;
  close(): void;
}

/** A prober that counts its echoes. */
export interface EchoProber extends Prober {
  readonly counts: () => EchoCounts;
}

/** An ICMP engine's echoes as probes that never throw. */
export function createEchoProber(sender: EchoSender): EchoProber {
  let closed = false;
  return {
    probe({ ip }, timeoutMs, settle) {
      if (closed) return () => undefined;
      const sentMs = performance.now();
      const sample = (outcome: Outcome): void => {
        if (!closed) settle({ sentMs, at: Date.now(), ...outcome });
      };
      try {
        return sender.echo(ip, timeoutMs, sample);
      } catch (error) {
        sample({ outcome: 'not-sent', reason: 'other', detail: messageOf(error) });
        return () => undefined;
      }
    },
    counts: () => sender.counts(),
    close() {
      closed = true;
      sender.close();
    },
  };
}
