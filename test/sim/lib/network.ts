import type { Path, Plane } from '../../../agent/model/path.js';
import type { Protocol } from '../../../agent/model/sample.js';
import type { Random } from '../../fuzz/random.js';

/** A host of the simulated cluster. */
export interface SimHost {
  readonly index: number;
  readonly name: string;
  readonly hostIp: string;
  readonly endpointIp: string;
  /** Whether the host runs and answers echoes. */
  isAlive: boolean;
  /**
   * Whether a server answers GETs, by plane: the agent on the host, the responder on the endpoint.
   */
  readonly listens: Record<Plane, boolean>;
}

/** Whether every packet from one host to another is lost. */
export type Cut = (from: SimHost, to: SimHost, plane: Plane) => boolean;

export interface NetworkOptions {
  readonly hosts: number;
  readonly random: Random;
  /** The share of all packets that are lost, from 0 to 1. */
  readonly loss: number;
}

/** A probe that arrived at a host. */
export interface Arrival {
  readonly atMs: number;
  readonly to: string;
  readonly plane: Plane;
  readonly protocol: Protocol;
}

/** Hosts and the network between them: delays, losses and cuts. */
export class SimNetwork {
  readonly hosts: readonly SimHost[];
  readonly cuts = new Set<Cut>();
  /** Receives every probe that arrives at a living host. */
  onArrival: (arrival: Arrival) => void = () => undefined;
  readonly #byIp = new Map<string, SimHost>();
  readonly #random: Random;
  readonly #loss: number;

  constructor({ hosts, random, loss }: NetworkOptions) {
    this.#random = random;
    this.#loss = loss;
    this.hosts = Array.from({ length: hosts }, (_, index) => createHost(index));
    for (const host of this.hosts) {
      this.#byIp.set(host.hostIp, host);
      this.#byIp.set(host.endpointIp, host);
    }
  }

  hostAt({ ip }: Path): SimHost {
    const host = this.#byIp.get(ip);
    if (!host) throw new Error(`no host has the address ${ip}`);
    return host;
  }

  /** Decides whether one packet arrives. */
  delivers(from: SimHost, to: SimHost, plane: Plane): boolean {
    if (!from.isAlive || !to.isAlive) return false;
    if (from === to) return true;
    for (const cut of this.cuts) if (cut(from, to, plane)) return false;
    return this.#random.next() >= this.#loss;
  }

  /**
   * The time of one packet in one direction: mostly a tenth of a millisecond, sometimes several.
   */
  delayMs(): number {
    const share = this.#random.next();
    return 0.05 + 0.1 * share + (share > 0.99 ? 5 * this.#random.next() : 0);
  }
}

function createHost(index: number): SimHost {
  const [high, low] = [index >> 8, index & 255];
  return {
    index,
    name: `sim/n${index}`,
    hostIp: `10.1.${high}.${low}`,
    endpointIp: `10.2.${high}.${low}`,
    isAlive: true,
    listens: { host: true, endpoint: true },
  };
}
