import type { Path } from '../model/path.js';
import type { Sample } from '../model/sample.js';

/** Probes one path with one protocol. */
export interface Prober {
  /**
   * Sends one probe and settles it once with its sample, after `timeoutMs` at the latest. A failed
   * probe is a sample like any other. Returns a function that cancels the probe, which then never
   * settles. It may settle before this returns.
   */
  probe(target: Path, timeoutMs: number, settle: (sample: Sample) => void): () => void;
  /** Cancels open probes. After that nothing is probed and nothing settles. */
  close(): void;
}
