import { diagnose } from '../../../agent/diagnosis/diagnose.js';
import type { DiagnosisOutput } from '../../../agent/diagnosis/nouns/diagnosis-input.js';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import type { Row, RowPath } from '../../../agent/model/row.js';
import type { Protocol } from '../../../agent/model/sample.js';
import { Random } from '../../fuzz/random.js';
import { freshRow } from '../../rows/make-row.js';
import { inputOfRows, rowOf, type NoiseCluster, type StateOf } from './noise-rows.js';
import { NoisyRtts } from './noisy-rtts.js';

const minutesKept = 10;
/** The probes a minute of one path, at the default intervals. */
const perMinute: Readonly<Record<Protocol, number>> = { icmp: 60, http: 12 };

/** The results of one hour of noise. */
export interface NoiseHour {
  readonly nodes: number;
  /** The findings that opened. All of them are false. */
  readonly opened: readonly Finding[];
  /** Lossy and slow paths, summed over all runs of the diagnosis. */
  readonly lossyPaths: number;
  readonly slowPaths: number;
  readonly unreachablePaths: number;
}

/** The diagnosis runs this often, and each second while a row tells of a path that fails. */
const everyS = 10;
/** Each row is written anew this often, and comes at once. */
const rowEveryS = 5;

/**
 * Simulates one hour of a cluster without a fault. Its network loses packets at random, and its
 * RTTs vary. Each path loses probes minute by minute. A path is lossy by the agent's own rule (over
 * ten minutes). It is unreachable for a moment if three probes in a row are lost. It is slow if the
 * agent's own detector says so. The diagnosis has the rows of the last seconds and its last output.
 */
export function noiseHour(seed: number): NoiseHour {
  const random = new Random(seed);
  for (let i = 0; i < 3; i++) random.next();
  const nodes = 3 + random.below(28);
  // The loss is between one in a million and one in a thousand packets. A probe is lost twice as
  // often as a packet.
  const lost = 2 * 10 ** (-6 + 3 * random.next());
  const cluster: NoiseCluster = {
    names: Array.from({ length: nodes }, (_, node) => `c/n${node + 1}`),
    zones: randomZones(nodes, random),
  };
  const paths = Array.from({ length: nodes * nodes * 4 }, () => new NoisyPath());
  const rtts = new NoisyRtts(nodes, random);
  const opened: Finding[] = [];
  const seen = { unreachable: 0, lossy: 0, slow: 0, unknown: 0 };
  const rows: { row: Row; atS: number }[] = [];
  let previous: DiagnosisOutput | undefined;
  let open = new Set<string>();
  for (let second = 0; second < 3600; second++) {
    if (second % 60 === 0) {
      for (const [at, path] of paths.entries()) path.minute(second, protocolOf(at), lost, random);
    }
    rtts.second(second);
    const stateOf: StateOf = (observer, target, channel) => {
      const path = (observer * nodes + target) * 4 + channel;
      return paths[path]?.stateAt(second) ?? slowState(rtts.slowSinceS(path), second);
    };
    for (let node = 0; node < nodes; node++) {
      if (node !== 0 && second > 0 && (second + node) % rowEveryS !== 0) continue;
      rows[node] = { row: rowOf(cluster, node, stateOf), atS: second };
    }
    const isDue = second % everyS === 0;
    if (isDue) for (const { row } of rows) for (const { state } of row.paths) seen[state]++;
    if (!isDue && !rows.some(({ row }) => row.paths.some(isFailing))) continue;
    const observed = rows.map(({ row, atS }) => freshRow(row, 1000 * (second - atS)));
    const output = diagnose(inputOfRows(cluster, observed, { second, previous }));
    for (const finding of output.findings) if (!open.has(finding.id)) opened.push(finding);
    open = new Set(output.findings.map(({ id }) => id));
    previous = output;
  }
  return {
    nodes,
    opened,
    lossyPaths: seen.lossy,
    slowPaths: seen.slow,
    unreachablePaths: seen.unreachable,
  };
}

/** Half the time one to three zones, else up to as many as nodes, so that many have one node. */
function randomZones(nodes: number, random: Random): (string | undefined)[] {
  const zones = 1 + random.below(random.below(2) === 0 ? 3 : nodes);
  const names = Array.from({ length: nodes }, () => `zone-${random.below(zones)}`);
  return names.map((zone) => (zones > 1 ? zone : undefined));
}

function isFailing({ state }: RowPath): boolean {
  return state === 'unreachable';
}

type Said = Pick<RowPath, 'state' | 'ageSeconds' | 'failure' | 'lost'>;

function slowState(sinceS: number | undefined, second: number): Said | undefined {
  return sinceS === undefined ? undefined : { state: 'slow', ageSeconds: second - sinceS };
}

function protocolOf(at: number): Protocol {
  return at % 2 === 0 ? 'icmp' : 'http';
}

/** The state of one path, derived from the losses of its probes. */
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
    // After each lost probe, two more may be lost as well. The path recovers after two answers.
    for (let loss = 0; loss < lost; loss++) {
      if (random.next() >= share * share) continue;
      this.#deadFrom = second + 60 * random.next();
      this.#deadTo = this.#deadFrom + 1 + 5 * random.next();
    }
  }

  stateAt(second: number): Said | undefined {
    if (second >= this.#deadFrom && second < this.#deadTo) {
      const ageSeconds = Math.round(second - this.#deadFrom);
      return { state: 'unreachable', ageSeconds, failure: 'timeout' };
    }
    if (this.#lossySince === undefined) return undefined;
    return { state: 'lossy', ageSeconds: second - this.#lossySince, lost: this.#sum };
  }
}

/** A Poisson number by Knuth's method, which suits the small means here. */
function poisson(mean: number, random: Random): number {
  const least = Math.exp(-mean);
  let count = 0;
  for (let product = random.next(); product > least; product *= random.next()) count++;
  return count;
}
