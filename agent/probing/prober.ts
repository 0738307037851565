import type { Path } from '../model/path.js';
import type { Sample } from '../model/sample.js';

/** Probes one path with one protocol. */
export interface Prober {
  /**
   * Sends one probe and settles it with its sample, once, after `timeoutMs` at the latest; a failed
   * probe is a sample like any other. Returns what cancels it: then it lets go of everything and
   * never settles. It may settle before it returns.
   */
  probe(target: Path, timeoutMs: number, settle: (sample: Sample) => void): () => void;
  /** Ends what is open; nothing is probed, and nothing settles, after that. */
  close(): void;
}
