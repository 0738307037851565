import type { Sample } from './sample.js';

/** Probes one address with one protocol. */
export interface Prober {
  /**
   * Sends one probe and resolves with its sample after `timeoutMs` at the latest; it never rejects
   * for a failed probe. Aborted, it lets go of everything and resolves at once with any sample.
   */
  probe(ip: string, timeoutMs: number, signal: AbortSignal): Promise<Sample>;
  /** Ends what is open; nothing is probed after that. */
  close(): void;
}
