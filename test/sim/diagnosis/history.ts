import type { FailureKind } from '../../../agent/model/failure.js';
import type { Plane } from '../../../agent/model/path.js';
import type { Protocol } from '../../../agent/model/sample.js';
import { flowLossOf, isSlow, lossOf, probe, type Trouble } from '../../faults/trouble.js';

/** A trouble, and for how many seconds it has lasted. */
export interface AgedTrouble {
  readonly trouble: Trouble;
  readonly ageS: number;
}

/** The path of a probe: from one host to another, on a plane, with a protocol. */
export interface ProbedPath {
  readonly from: number;
  readonly to: number;
  readonly plane: Plane;
  readonly protocol: Protocol;
}

/** The share of probes that a trouble loses at random, that of flows of which it loses all, and since when. */
export interface PathLosses {
  readonly share: number;
  readonly flows: number;
  readonly sinceS: number;
}

/** Troubles, oldest first: they began in this order. */
export class History {
  readonly #aged: readonly AgedTrouble[];
  readonly #troubles: readonly Trouble[];
  /** Histories of some of the troubles, by their bits. */
  readonly #parts = new Map<number, History>();

  constructor(troubles: readonly AgedTrouble[]) {
    this.#aged = [...troubles].sort((a, b) => b.ageS - a.ageS);
    this.#troubles = this.#aged.map(({ trouble }) => trouble);
  }

  /** The history without the troubles that began in the last `agoS` seconds. */
  before(agoS: number): History {
    return this.#part(({ ageS }) => ageS > agoS) ?? new History([]);
  }

  /** The troubles that can affect packets between two hosts; undefined if there is none. */
  between(a: number, b: number): History | undefined {
    return this.#part(({ trouble }) => trouble.touches(a, b));
  }

  /** The hosts that a trouble may keep from one host; undefined if these may be all. */
  touchedBy(node: number): ReadonlySet<number> | undefined {
    const touched = new Set<number>();
    for (const { nodes } of this.#troubles) {
      if (!nodes || nodes.includes(node)) return undefined;
      for (const other of nodes) touched.add(other);
    }
    return touched;
  }

  #part(isIn: (one: AgedTrouble) => boolean): History | undefined {
    let bits = 0;
    for (const [at, one] of this.#aged.entries()) if (isIn(one)) bits |= 1 << at;
    if (bits === 0) return undefined;
    if (bits === 2 ** this.#aged.length - 1) return this;
    let part = this.#parts.get(bits);
    if (!part) {
      part = new History(this.#aged.filter((_, at) => (bits >> at) & 1));
      this.#parts.set(bits, part);
    }
    return part;
  }

  /** Why a path fails now, and for how many seconds it has; undefined if it works. */
  failure({
    from,
    to,
    plane,
    protocol,
  }: ProbedPath): { readonly kind: FailureKind; readonly sinceS: number } | undefined {
    const kind = probe(this.#troubles, from, to, plane, protocol);
    if (kind === undefined) return undefined;
    let begun = 1;
    while (
      begun < this.#troubles.length &&
      probe(this.#troubles.slice(0, begun), from, to, plane, protocol) === undefined
    ) {
      begun++;
    }
    return { kind, sinceS: this.#aged[begun - 1]?.ageS ?? 0 };
  }

  /** For how many seconds a node has had no agent that probes; undefined if it has one. */
  agentGoneS(node: number): number | undefined {
    return this.#aged.find(({ trouble: { isOff, server } }) => {
      return isOff?.(node) === true || (server?.(node, 'host') ?? 'answers') !== 'answers';
    })?.ageS;
  }

  /** For how many seconds an agent's GETs have not reached a peer; undefined if they do. */
  mutedS(agent: number, peer: number): number | undefined {
    const failure = this.failure({ from: agent, to: peer, plane: 'host', protocol: 'http' });
    const goneS = this.agentGoneS(agent);
    return goneS === undefined ? failure?.sinceS : Math.max(goneS, failure?.sinceS ?? 0);
  }

  /** For how many seconds a path has been slow; undefined if it is not. */
  slowSinceS({ from, to, plane }: ProbedPath): number | undefined {
    return this.#aged.find(({ trouble }) => isSlow([trouble], from, to, plane))?.ageS;
  }

  /** What each trouble loses on a path, and for how many seconds it has. */
  losses({ from, to, plane, protocol }: ProbedPath): PathLosses[] {
    return this.#aged.flatMap(({ trouble, ageS }) => {
      const share = lossOf([trouble], from, to, plane);
      const flows = protocol === 'icmp' ? 0 : flowLossOf([trouble], from, to, plane);
      return share + flows === 0 ? [] : [{ share, flows, sinceS: ageS }];
    });
  }
}
