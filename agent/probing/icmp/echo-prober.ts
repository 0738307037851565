import { messageOf } from '../../errors.js';
import type { Prober } from '../prober.js';
import type { Outcome } from '../sample.js';

/** The sending half of an ICMP engine. */
export interface EchoSender {
  /**
   * Sends one echo and settles it once, after `timeoutMs` at the latest; the result cancels it.
   * @throws Error where nothing can be sent to that address from this host
   */
  echo(ip: string, timeoutMs: number, settle: (outcome: Outcome) => void): () => void;
  close(): void;
}

/** An ICMP engine's echoes as probes that can be cancelled and never reject. */
export function createEchoProber(sender: EchoSender): Prober {
  let closed = false;
  return {
    probe(ip, timeoutMs, signal) {
      return new Promise((resolve) => {
        const sentMs = performance.now();
        let cancel = (): void => undefined;
        const settle = (outcome: Outcome): void => {
          signal.removeEventListener('abort', cancelled);
          resolve({ sentMs, at: Date.now(), ...outcome });
        };
        const cancelled = (): void => {
          cancel();
          settle({ outcome: 'not-sent', detail: 'cancelled' });
        };
        signal.addEventListener('abort', cancelled, { once: true });
        try {
          if (closed || signal.aborted) cancelled();
          else cancel = sender.echo(ip, timeoutMs, settle);
        } catch (error) {
          settle({ outcome: 'not-sent', detail: messageOf(error) });
        }
      });
    },
    close() {
      closed = true;
      sender.close();
    },
  };
}
