import { diagnose } from '../../../agent/diagnosis/diagnose.js';
import type { DiagnosisOutput } from '../../../agent/diagnosis/diagnosis-input.js';
import type { Finding } from '../../../agent/diagnosis/finding.js';
import type { RowPath } from '../../../agent/model/row.js';
import type { Protocol } from '../../../agent/model/sample.js';
import { Random } from '../../fuzz/random.js';
import { inputOf, type NoiseCluster } from './noise-rows.js';

const minutesKept = 10;
/** Probes a minute of one path at the default intervals. */
const perMinute: Readonly<Record<Protocol, number>> = { icmp: 60, http: 12 };

/**
 * One hour of a cluster without a fault, whose network loses packets at random: each path loses
 * probes minute by minute, is lossy by the agent's own rule (over ten minutes), and is unreachable
 * for a moment where three probes in a row are lost. The diagnosis looks every ten seconds, with
 * what it said before.
 *
 * @returns the findings that opened
 */
export function noiseHour(seed: number): Finding[] {
  const random = new Random(seed);
  for (let i = 0; i < 3; i++) random.next();
  const nodes = 3 + random.below(28);
  const zones = 1 + random.below(3);
  // Of all packets between one in a million and one in a thousand is lost; of probes twice as many.
  const lost = 2 * 10 ** (-6 + 3 * random.next());
  const cluster: NoiseCluster = {
    names: Array.from({ length: nodes }, (_, node) => `c/n${node + 1}`),
    zones: Array.from({ length: nodes }, (_, node) =>
      zones > 1 ? `zone-${node % zones}` : undefined,
    ),
  };
  const paths = Array.from({ length: nodes * nodes * 4 }, () => new NoisyPath());
  const opened: Finding[] = [];
  let previous: DiagnosisOutput | undefined;
  let open = new Set<string>();
  for (let second = 0; second < 3600; second += 10) {
    if (second % 60 === 0) {
      for (const [at, path] of paths.entries()) path.minute(second, protocolOf(at), lost, random);
    }
    const stateOf = (observer: number, target: number, channel: number) =>
      paths[(observer * nodes + target) * 4 + channel]?.stateAt(second);
    const output = diagnose(inputOf(cluster, stateOf, { second, random, previous }));
    for (const finding of output.findings) if (!open.has(finding.id)) opened.push(finding);
    open = new Set(output.findings.map(({ id }) => id));
    previous = output;
  }
  return opened;
}

function protocolOf(at: number): Protocol {
  return at % 2 === 0 ? 'icmp' : 'http';
}

/** What the loss of its probes makes of one path. */
class NoisyPath {
  readonly #lost = new Uint8Array(minutesKept);
  #sum = 0;
  #lossySince: number | undefined;
  #deadFrom = Infinity;
  #deadTo = -Infinity;

  minute(second: number, protocol: Protocol, share: number, random: Random): void {
    const at = (second / 60) % minutesKept;
    const lost = poisson(perMinute[protocol] * share, random);
    this.#sum += lost - (this.#lost[at] ?? 0);
    this.#lost[at] = lost;
    const sent = minutesKept * perMinute[protocol];
    const isLossy = this.#sum >= 2 && this.#sum / sent >= 0.005;
    this.#lossySince = isLossy ? (this.#lossySince ?? second) : undefined;
    // Each lost probe is followed by two that may be lost as well; it is back after two answers.
    for (let loss = 0; loss < lost; loss++) {
      if (random.next() >= share * share) continue;
      this.#deadFrom = second + 60 * random.next();
      this.#deadTo = this.#deadFrom + 1 + 5 * random.next();
    }
  }

  stateAt(second: number): Pick<RowPath, 'state' | 'ageSeconds' | 'failure'> | undefined {
    if (second >= this.#deadFrom && second < this.#deadTo) {
      const ageSeconds = Math.round(second - this.#deadFrom);
      return { state: 'unreachable', ageSeconds, failure: 'timeout' };
    }
    if (this.#lossySince === undefined) return undefined;
    return { state: 'lossy', ageSeconds: second - this.#lossySince };
  }
}

/** By Knuth's method: fit for the small means here. */
function poisson(mean: number, random: Random): number {
  const least = Math.exp(-mean);
  let count = 0;
  for (let product = random.next(); product > least; product *= random.next()) count++;
  return count;
}
