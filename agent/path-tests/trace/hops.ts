import type { Hop, TraceLine } from '../../../api/schema/v1/path-tests.js';
import { icmpFailure } from '../../probing/icmp/packet.js';

export const maxTtl = 20;
export const maxTries = 3;
/** One trace takes at most this long. */
export const traceMs = 2000;

/** A path ends at its target, or where a router says that it goes no further. */
interface End {
  readonly ttl: number;
  readonly isTarget: boolean;
}

/** The hops of one trace, while they are found. */
export class Hops {
  readonly #hops = new Map<number, Hop>();
  readonly #tries = new Map<number, number>();
  #end: End | undefined;
  #shown = 0;

  /** The TTLs that are still to be tried. */
  get open(): number[] {
    const last = this.#end?.ttl ?? maxTtl;
    const all = Array.from({ length: last }, (_, index) => index + 1);
    return all.filter((ttl) => !this.#hops.has(ttl));
  }

  get isReached(): boolean {
    return this.#end?.isTarget === true;
  }

  countTry(ttl: number): void {
    this.#tries.set(ttl, this.#triesOf(ttl) + 1);
  }

  /** An answer of the target itself. */
  addTarget(ttl: number, address: string, rttNs: number, says?: string): void {
    if (this.#end && this.#end.ttl <= ttl) return;
    this.#end = { ttl, isTarget: true };
    this.#add({ ttl, address, rttNs, says });
  }

  /** An ICMP error about a packet that was sent with this TTL. */
  addError(ttl: number, family: 4 | 6, error: IcmpError, target: string): void {
    if (this.#hops.has(ttl) || (this.#end && this.#end.ttl < ttl)) return;
    const { from: address, rttNs, type, code } = error;
    if (type === (family === 4 ? 11 : 3)) {
      this.#add({ ttl, address, rttNs });
      return;
    }
    const says = icmpFailure(family, type, code)?.text;
    if (says === undefined) return;
    this.#end = { ttl, isTarget: address === target };
    this.#add({ ttl, address, rttNs, says });
  }

  /** The hops that are known and have not been told yet, without a gap before them. */
  *tell(): Generator<TraceLine> {
    for (
      let hop;
      (hop = this.#hops.get(this.#shown + 1)) && !this.#isBeyond(hop.ttl);
      this.#shown++
    ) {
      yield hop;
    }
  }

  /** The rest, with gaps, and the end. Hops behind the last that answers are not told one by one. */
  *finish(): Generator<TraceLine> {
    const answering = [...this.#hops.values()].filter(({ ttl }) => !this.#isBeyond(ttl));
    const last = answering.sort((a, b) => a.ttl - b.ttl).at(-1);
    for (let ttl = this.#shown + 1; ttl <= (last?.ttl ?? 0); ttl++) {
      yield this.#hops.get(ttl) ?? { type: 'hop', ttl, tries: this.#triesOf(ttl) };
    }
    yield {
      type: 'end',
      isReached: this.isReached,
      ...(last?.address !== undefined && {
        lastAnswering: { ttl: last.ttl, address: last.address },
      }),
      triedTtl: Math.max(0, ...this.#tries.keys()),
    };
  }

  #isBeyond(ttl: number): boolean {
    return this.#end !== undefined && ttl > this.#end.ttl;
  }

  #triesOf(ttl: number): number {
    return this.#tries.get(ttl) ?? 0;
  }

  #add({ ttl, address, rttNs, says }: AnsweringHop): void {
    const tries = this.#triesOf(ttl);
    const more = says === undefined ? {} : { says };
    this.#hops.set(ttl, { type: 'hop', ttl, address, rttNs, tries, ...more });
  }
}

interface AnsweringHop {
  readonly ttl: number;
  readonly address: string;
  readonly rttNs: number;
  readonly says?: string | undefined;
}

/** What an ICMP error says, and who says it. */
export interface IcmpError {
  readonly from: string;
  readonly rttNs: number;
  readonly type: number;
  readonly code: number;
}
