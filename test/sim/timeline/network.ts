import type { FailureKind } from '../../../agent/model/failure.js';
import type { Node } from '../../../agent/model/node.js';
import type { Path, Plane } from '../../../agent/model/path.js';
import type { Protocol } from '../../../agent/model/sample.js';
import type { Random } from '../../fuzz/random.js';
import type { Layout } from '../diagnosis/faults/fault.js';
import { probe, type Trouble } from '../diagnosis/network.js';
import { TargetNetwork } from './target-network.js';

/** The share of probes that are lost without a fault. */
const strayLoss = 1e-4;

/** The hosts of a cluster and the network between them, with the faults of now. */
export class TimelineNetwork {
  readonly nodes: readonly Node[];
  /** The way to the targets. Without any, nobody asks. */
  readonly targets: TargetNetwork;
  readonly #random: Random;
  readonly #numberOf = new Map<string, number>();
  /** The troubles of now. */
  #troubles: readonly Trouble[] = [];
  /** The hosts whose agent does not run, so that its port is closed. */
  readonly #withoutAgent = new Set<number>();

  /** @param hosts the hosts at which each target is */
  constructor(
    { names, zones, zoneOf }: Layout,
    random: Random,
    hosts: ReadonlyMap<string, readonly number[]>,
  ) {
    this.#random = random;
    this.targets = new TargetNetwork(hosts, () => this.#troubles);
    this.nodes = names.map((name, node) => {
      const zone = zones.length > 1 ? zones[zoneOf[node] ?? 0] : undefined;
      const [host, endpoint] = [`10.0.0.${node + 1}`, `10.244.0.${node + 1}`];
      for (const ip of [host, endpoint]) this.#numberOf.set(ip, node);
      return { name, host: [host], endpoint: [endpoint], ...(zone !== undefined && { zone }) };
    });
  }

  get troubles(): readonly Trouble[] {
    return this.#troubles;
  }

  /** Several faults may share one trouble. */
  begin(trouble: Trouble): void {
    this.#troubles = [...new Set([...this.#troubles, trouble])];
  }

  end(trouble: Trouble): void {
    this.#troubles = this.#troubles.filter((one) => one !== trouble);
  }

  setAgent(node: number, runs: boolean): void {
    if (runs) this.#withoutAgent.delete(node);
    else this.#withoutAgent.add(node);
  }

  numberOf({ ip }: Path): number {
    return this.#numberOf.get(ip) ?? -1;
  }

  /** How a probe fails that is sent now; undefined if it is answered. */
  failure(from: number, to: number, plane: Plane, protocol: Protocol): FailureKind | undefined {
    for (const { touches } of this.#troubles) {
      if (!touches(from, to)) continue;
      const failure = probe(this.#troubles, from, to, plane, protocol);
      if (failure !== undefined) return failure;
      break;
    }
    if (from !== to && this.isStray()) return 'timeout';
    const isClosed = plane === 'host' && protocol === 'http' && this.#withoutAgent.has(to);
    return isClosed ? 'refused' : undefined;
  }

  /** Whether this probe is one of those that are lost without a fault. */
  isStray(): boolean {
    return this.#random.next() < strayLoss;
  }

  /** The time of one packet in milliseconds: a tenth, sometimes several. */
  delayMs(): number {
    const share = this.#random.next();
    return 0.05 + 0.1 * share + (share > 0.99 ? 5 * this.#random.next() : 0);
  }
}
