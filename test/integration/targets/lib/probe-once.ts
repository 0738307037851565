import type { Sample } from '../../../../agent/model/sample.js';
import type { TargetProber } from '../../../../agent/targets/probers/target-prober.js';

/** The path of the probes here. A prober of a target does not read it. */
export const anyPath = { node: 'a', plane: 'host', ip: '' } as const;

/** Sends one probe. A second settlement is an error. */
export function probeOnce(prober: TargetProber, timeoutMs = 2000): Promise<Sample> {
  return new Promise((resolve, reject) => {
    let settled = 0;
    prober.probe(anyPath, timeoutMs, (sample) => {
      if (++settled > 1) reject(new Error('a probe settled twice'));
      // A second settlement would come with what is under way now.
      else setImmediate(() => setImmediate(() => resolve(sample)));
    });
  });
}
