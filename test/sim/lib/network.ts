import type { FailureKind } from '../../../agent/model/failure.js';
import type { Node } from '../../../agent/model/node.js';
import type { NodeLabels } from '../../../agent/model/node-labels.js';
import type { Path, Plane } from '../../../agent/model/path.js';
import type { Protocol } from '../../../agent/model/sample.js';
import type { Random } from '../../fuzz/random.js';
import type { Layout } from '../../faults/fault.js';
import { probe, type Trouble } from '../../faults/trouble.js';
import { TargetNetwork } from './target-network.js';

/** What becomes of a probe that is sent now. */
export interface Passage {
  /** How it fails; undefined if it is answered. */
  readonly failure: FailureKind | undefined;
  /** Whether it arrives, though its answer may be lost. */
  readonly arrives: boolean;
}

/** A probe that arrived at a node. */
export interface Arrival {
  readonly from: number;
  readonly node: number;
  readonly plane: Plane;
  readonly protocol: Protocol;
}

export interface SimNetworkOptions {
  /** The hosts at which each target is. */
  readonly targetHosts?: ReadonlyMap<string, readonly number[]>;
  /** The labels of each host; left out, they have none. */
  readonly labels?: readonly NodeLabels[];
  /** The share of probes that are lost without a fault, half of them on the way back. */
  readonly strayLoss?: number;
}

const passes: Passage = { failure: undefined, arrives: true };
const isRefused: Passage = { failure: 'refused', arrives: true };
const isLostThere: Passage = { failure: 'timeout', arrives: false };
const isLostBack: Passage = { failure: 'timeout', arrives: true };

/** The hosts of a cluster and the network between them, with the faults of now. */
export class SimNetwork {
  readonly nodes: readonly Node[];
  /** The way to the targets. Without any, nobody asks. */
  readonly targets: TargetNetwork;
  /** Receives every probe that arrives. */
  onArrival: (arrival: Arrival) => void = () => undefined;
  readonly #random: Random;
  readonly #strayLoss: number;
  readonly #numberOf = new Map<string, number>();
  /** The troubles of now. */
  #troubles: readonly Trouble[] = [];
  /** The hosts whose agent does not run, so that its port is closed. */
  readonly #withoutAgent = new Set<number>();

  constructor(
    { names, zones, zoneOf }: Layout,
    random: Random,
    { targetHosts = new Map(), labels = [], strayLoss = 1e-4 }: SimNetworkOptions = {},
  ) {
    this.#random = random;
    this.#strayLoss = strayLoss;
    this.targets = new TargetNetwork(targetHosts, () => this.#troubles);
    this.nodes = names.map((name, node) => {
      const zone = zones.length > 1 ? zones[zoneOf[node] ?? 0] : undefined;
      const ending = `${(node + 1) >> 8}.${(node + 1) & 255}`;
      const [host, endpoint] = [`10.0.${ending}`, `10.244.${ending}`];
      for (const ip of [host, endpoint]) this.#numberOf.set(ip, node);
      const own = labels[node];
      return {
        name,
        host: [host],
        endpoint: [endpoint],
        ...(zone !== undefined && { zone }),
        ...(own && { labels: own }),
      };
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

  /** Sends a probe now. */
  send(from: number, to: number, plane: Plane, protocol: Protocol): Passage {
    const passage = this.#passage(from, to, plane, protocol);
    if (passage.arrives) this.onArrival({ from, node: to, plane, protocol });
    return passage;
  }

  /** Whether this probe is one of those that are lost without a fault. */
  isStray(): boolean {
    return this.#random.next() < this.#strayLoss;
  }

  /** The time of one packet in milliseconds: a tenth, sometimes several. */
  delayMs(): number {
    const share = this.#random.next();
    return 0.05 + 0.1 * share + (share > 0.99 ? 5 * this.#random.next() : 0);
  }

  #passage(from: number, to: number, plane: Plane, protocol: Protocol): Passage {
    const failure = failureOf(this.#troubles, from, to, plane, protocol);
    if (failure !== undefined) return failure === 'refused' ? isRefused : isLostThere;
    const share = from === to ? 1 : this.#random.next();
    if (share < this.#strayLoss) return share < this.#strayLoss / 2 ? isLostThere : isLostBack;
    const isClosed = plane === 'host' && protocol === 'http' && this.#withoutAgent.has(to);
    return isClosed ? isRefused : passes;
  }
}

function failureOf(
  troubles: readonly Trouble[],
  from: number,
  to: number,
  plane: Plane,
  protocol: Protocol,
): FailureKind | undefined {
  const isTouched = troubles.some(({ touches }) => touches(from, to));
  return isTouched ? probe(troubles, from, to, plane, protocol) : undefined;
}
