import type { Candidate } from '../nouns/candidate.js';
import type { Cause } from '../nouns/cause.js';
import {
  endpointHttpMask,
  endpointMask,
  hostMask,
  httpMask,
  icmpMask,
} from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import { nodesAt } from '../nouns/subject.js';
import { serviceTarget, type DiagnosisTarget } from '../nouns/diagnosis-target.js';
import type { TargetLooks } from './target-looks.js';
import { getOrInsert } from '../nouns/get-or-insert.js';

interface ZonePair {
  readonly a: number;
  readonly b: number;
  readonly planes: number;
  /** Since when, in seconds ago. */
  readonly sinceS: number;
}

/** What faults of paths say of the looks at one target. */
export interface LooksBesidePaths {
  /** Whether a look says something of the target. */
  readonly counts: (slot: number) => boolean;
  /** Whether a cut between zones that lasts does not explain a look: others beside it fail too. */
  readonly isRefuted: (slot: number) => boolean;
}

/** The looks at targets that findings about paths explain, so that they say nothing of the target. */
export class ExplainedByPaths {
  readonly #index: ClusterIndex;
  /** By node: planes that are explained whatever the target is, 1 the host and 2 the endpoint. */
  readonly #planes: Uint8Array;
  /** The same for targets that are probed by ICMP, and for losses and slowness. */
  readonly #icmp: Uint8Array;
  readonly #degraded: Uint8Array;
  /** The port of the endpoints is filtered everywhere, so their service fails. */
  #service = false;
  readonly #zonePairs: ZonePair[] = [];

  /** @param now monotonic milliseconds */
  constructor(index: ClusterIndex, candidates: readonly Candidate[], now: number) {
    this.#index = index;
    this.#planes = new Uint8Array(index.size);
    this.#icmp = new Uint8Array(index.size);
    this.#degraded = new Uint8Array(index.size);
    for (const { finding, explained, sinceMs } of candidates) {
      // Its own probes work.
      if (finding.direction === 'inbound') continue;
      for (const cause of explained) this.#add(cause, (now - sinceMs) / 1000);
    }
  }

  /** The slots from which looks at any target are explained. */
  *slots(): Generator<number, void> {
    for (const [node, mask] of this.#planes.entries()) {
      for (const plane of [0, 1]) if ((mask >> plane) & 1) yield 2 * node + plane;
    }
  }

  /**
   * Each target is asked for once.
   * @param says whether the look of a slot says something of now
   */
  of(
    looks: TargetLooks,
    definition: DiagnosisTarget | undefined,
    says: (slot: number) => boolean,
  ): LooksBesidePaths {
    const beyond = this.#zonesBeyond(looks, says);
    const isIcmp = definition?.kind === 'icmp';
    const isService = this.#service && looks.name === serviceTarget;
    const isRefuted = (slot: number): boolean => {
      const { cut = 0, explained = 0 } = beyond.get(this.#index.zoneOf[slot >> 1] ?? -1) ?? {};
      return (((cut & ~explained) >> (slot & 1)) & 1) === 1;
    };
    const counts = (slot: number): boolean => {
      const node = slot >> 1;
      const plane = 1 << (slot & 1);
      const state = looks.stateAt(slot);
      if (((this.#planes[node] ?? 0) & plane) !== 0) return false;
      if (isIcmp && ((this.#icmp[node] ?? 0) & plane) !== 0) return false;
      const unsent = looks.notSending.get(node);
      if (unsent?.some((protocol) => !definition || (protocol === 'icmp') === isIcmp)) return false;
      if (state === 'lossy' || state === 'slow') {
        return ((this.#degraded[node] ?? 0) & plane) === 0;
      }
      if (state !== 'unreachable') return true;
      if (isService) return false;
      return ((beyond.get(this.#index.zoneOf[node] ?? -1)?.explained ?? 0) & plane) === 0;
    };
    return { counts, isRefuted };
  }

  #add({ subject, trouble, channels, isPartial }: Cause, sinceS: number): void {
    if (isPartial || subject.type === 'pair' || subject.type === 'groups') return;
    const planes = planesOf(channels);
    if (subject.type === 'zones' && subject.other !== undefined) {
      if (trouble === 'broken' && planes > 0) {
        this.#zonePairs.push({ a: subject.zone, b: subject.other, planes, sinceS });
      }
      return;
    }
    const icmp = icmpPlanesOf(channels);
    // The endpoint of one node gives no results while its server hangs.
    const server =
      subject.type === 'node' && (channels & endpointHttpMask) !== 0 && trouble === 'broken'
        ? 2
        : 0;
    if (subject.type === 'cluster' && trouble === 'broken') {
      this.#service ||= (channels & httpMask & endpointMask) !== 0;
    }
    for (const node of nodesAt(subject, this.#index)) {
      if (trouble === 'broken') {
        this.#planes[node] = (this.#planes[node] ?? 0) | planes | server;
        this.#icmp[node] = (this.#icmp[node] ?? 0) | icmp;
      } else this.#degraded[node] = (this.#degraded[node] ?? 0) | icmp | planesOf(channels);
    }
  }

  /**
   * By zone, the planes that are cut, and those from which a target fails because the zone is cut off from the one that
   * reaches it: most looks of the other zone are well. Where there are none, the target is taken to be there, unless most
   * others fail too that the other zone is not cut off from. It is not there if the zone reaches it from one plane while
   * both are cut.
   */
  #zonesBeyond(
    looks: TargetLooks,
    says: (slot: number) => boolean,
  ): ReadonlyMap<number, { readonly cut: number; readonly explained: number }> {
    const beyond = new Map<number, { cut: number; explained: number }>();
    for (const { a, b, planes, sinceS } of this.#zonePairs) {
      for (const [zone, other] of [
        [a, b],
        [b, a],
      ] as const) {
        const known = getOrInsert(beyond, zone, () => ({ cut: 0, explained: 0 }));
        known.cut |= planes;
        for (const plane of [1, 2]) {
          if ((planes & plane) === 0) continue;
          if (planes === 3 && this.#reachesMeanwhile(looks, zone, 3 - plane, sinceS)) continue;
          const isReached =
            this.#reach(looks, [other], plane, says) ??
            this.#reach(looks, this.#notCutOff(other, plane), plane, says) ??
            true;
          if (isReached) known.explained |= plane;
        }
      }
    }
    return beyond;
  }

  /** Whether most looks of a zone from a plane have reached a target without a break since before it was cut off. */
  #reachesMeanwhile(looks: TargetLooks, zone: number, plane: number, sinceS: number): boolean {
    const { probedS, ageS } = looks;
    return (
      this.#reach(
        looks,
        [zone],
        plane,
        (slot, fails) => fails || ((probedS[slot] ?? 0) < sinceS && (ageS[slot] ?? 0) > sinceS),
      ) === true
    );
  }

  /** The other zones that no finding says to be cut off from a zone. */
  #notCutOff(from: number, plane: number): readonly number[] {
    return [...this.#index.zones.keys()].filter(
      (zone) =>
        zone !== from &&
        !this.#zonePairs.some(
          ({ a, b, planes }) =>
            (planes & plane) !== 0 && ((a === zone && b === from) || (a === from && b === zone)),
        ),
    );
  }

  /** Whether most looks of zones reach a target; undefined if there are none that say something of it. */
  #reach(
    looks: TargetLooks,
    zones: readonly number[],
    plane: number,
    counts: (slot: number, fails: boolean) => boolean,
  ): boolean | undefined {
    let [works, fails] = [0, 0];
    for (const zone of zones) {
      for (const node of this.#index.zones[zone]?.members ?? []) {
        const slot = 2 * node + plane - 1;
        const state = looks.stateAt(slot);
        const isFailing = state === 'unreachable';
        if (((this.#planes[node] ?? 0) & plane) !== 0 || state === 'unknown') continue;
        if (!counts(slot, isFailing)) continue;
        if (isFailing) fails++;
        else works++;
      }
    }
    return works + fails === 0 ? undefined : works > fails;
  }
}

/** The planes of which a set of channels has both protocols. */
function planesOf(channels: number): number {
  return (
    ((channels & hostMask) === hostMask ? 1 : 0) |
    ((channels & endpointMask) === endpointMask ? 2 : 0)
  );
}

/** The planes of which a set of channels has ICMP. */
function icmpPlanesOf(channels: number): number {
  return (
    ((channels & icmpMask & hostMask) === 0 ? 0 : 1) |
    ((channels & icmpMask & endpointMask) === 0 ? 0 : 2)
  );
}
