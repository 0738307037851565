import type { Candidate } from '../nouns/finding.js';
import { endpointHttpMask, httpMask, icmpMask } from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import { nodesAt } from '../nouns/subject.js';
import { serviceTarget, type DiagnosisTarget } from '../nouns/diagnosis-target.js';
import type { TargetLooks } from './target-looks.js';
import { getOrInsert } from '../nouns/get-or-insert.js';

/** What faults of paths say of the looks at one target. */
export interface LooksBesidePaths {
  /** Whether a look says something of the target. */
  readonly counts: (slot: number) => boolean;
  /** Whether a cut between zones that lasts does not explain a look: others beside it fail too. */
  readonly isRefuted: (slot: number) => boolean;
}

/**
 * The looks at targets that findings about paths explain. In its masks HTTP stands for the whole plane: what one cause breaks by both
 * protocols.
 * @param now monotonic milliseconds
 */
export function explainedByPaths(
  index: ClusterIndex,
  candidates: readonly Candidate[],
  now: number,
) {
  /** By node: what is broken whatever the target is, and what loses probes or is slow. */
  const [broken, degraded] = [new Uint8Array(index.size), new Uint8Array(index.size)];
  /** The port of the endpoints is filtered everywhere, so their service fails. */
  let hasNoService = false;
  /** Two zones, the channels that are broken between them, and since when, in seconds ago. */
  const cuts: { zones: readonly [number, number]; channels: number; sinceS: number }[] = [];
  for (const { explained, sinceMs, finding } of candidates) {
    // With inbound faults its own probes work.
    if (finding.direction === 'inbound') continue;
    for (const { subject, trouble, channels, isPartial } of explained) {
      if (isPartial || subject.type === 'pair' || subject.type === 'groups') continue;
      const isBroken = trouble === 'broken';
      const whole = channels & (icmpMask | ((channels & icmpMask) << 1));
      if (subject.type === 'zones' && subject.other !== undefined) {
        const zones = [subject.group, subject.other] as const;
        if (isBroken && (whole & httpMask) !== 0)
          cuts.push({ zones, channels: whole, sinceS: (now - sinceMs) / 1000 });
        continue;
      }
      const isOfEndpoint = isBroken && (channels & endpointHttpMask) !== 0;
      if (subject.type === 'cluster') hasNoService ||= isOfEndpoint;
      // The endpoint of one node gives no results while its server hangs.
      const hanging = subject.type === 'node' && isOfEndpoint ? endpointHttpMask : 0;
      const masks = isBroken ? broken : degraded;
      for (const node of nodesAt(subject, index))
        masks[node] = (masks[node] ?? 0) | whole | hanging;
    }
  }
  return { slots, of };

  /** The slots from which looks at any target are explained. */
  function* slots(): Generator<number, void> {
    for (let slot = 0; slot < 2 * index.size; slot++)
      if (isAt(broken[slot >> 1], slot & 1)) yield slot;
  }

  /**
   * Each target is asked for once.
   * @param says whether the look of a slot says something of now
   */
  function of(
    looks: TargetLooks,
    definition: DiagnosisTarget | undefined,
    says: (slot: number) => boolean,
  ): LooksBesidePaths {
    const beyond = zonesBeyond(looks, says);
    const isCutAt = (slot: number) => beyond.get(index.zoneOf[slot >> 1] ?? -1)?.[slot & 1];
    const isIcmp = definition?.kind === 'icmp';
    const isOfService = looks.name === serviceTarget;
    const counts = (slot: number): boolean => {
      const [node, plane] = [slot >> 1, slot & 1];
      if (isAt(broken[node], plane, isIcmp)) return false;
      const unsent = looks.notSending.get(node);
      if (unsent?.some((protocol) => !definition || (protocol === 'icmp') === isIcmp)) return false;
      const state = looks.stateAt(slot);
      if (state === 'lossy' || state === 'slow') return !isAt(degraded[node], plane, true);
      if (state !== 'unreachable') return true;
      return !(hasNoService && isOfService) && isCutAt(slot) !== true;
    };
    return { counts, isRefuted: (slot) => isCutAt(slot) === false };
  }

  /**
   * By zone and plane that is cut, whether a target fails because the zone is cut off from the one that reaches it: most looks
   * of the other zone are well. Where there are none, the target is taken to be there, unless most others fail too that the other
   * zone is not cut off from. It is not there if the zone reaches it from one plane while both are cut.
   */
  function zonesBeyond(
    looks: TargetLooks,
    says: (slot: number) => boolean,
  ): ReadonlyMap<number, readonly (boolean | undefined)[]> {
    const beyond = new Map<number, (boolean | undefined)[]>();
    for (const { zones, channels, sinceS } of cuts)
      for (const [zone, other] of [zones, [zones[1], zones[0]] as const])
        for (const plane of [0, 1].filter((one) => isAt(channels, one))) {
          const known = getOrInsert(beyond, zone, () => []);
          known[plane] ??= false;
          const hasBoth = isAt(channels, 1 - plane);
          if (hasBoth && reachesMeanwhile(looks, zone, 1 - plane, sinceS)) continue;
          known[plane] ||=
            reach(looks, [other], plane, says) ??
            reach(looks, notCutOff(other, plane), plane, says) ??
            true;
        }
    return beyond;
  }

  /** Whether most looks of a zone from a plane have reached a target without a break since before it was cut off. */
  function reachesMeanwhile(looks: TargetLooks, zone: number, plane: number, sinceS: number) {
    const hasAnswered = (slot: number) =>
      (looks.probedS[slot] ?? 0) < sinceS && (looks.ageS[slot] ?? 0) > sinceS;
    const counts = (slot: number) => looks.stateAt(slot) === 'unreachable' || hasAnswered(slot);
    return reach(looks, [zone], plane, counts) === true;
  }

  /** The other zones that no finding says to be cut off from a zone. */
  function notCutOff(from: number, plane: number): readonly number[] {
    const its = cuts.filter(({ zones, channels }) => zones.includes(from) && isAt(channels, plane));
    const cutOff = new Set([from, ...its.flatMap(({ zones }) => zones)]);
    return [...index.zones.keys()].filter((zone) => !cutOff.has(zone));
  }

  /** Whether most looks of zones reach a target; undefined if there are none that say something of it. */
  function reach(
    looks: TargetLooks,
    zones: readonly number[],
    plane: number,
    counts: (slot: number) => boolean,
  ): boolean | undefined {
    let [works, fails] = [0, 0];
    for (const node of zones.flatMap((zone) => index.zones[zone]?.members ?? [])) {
      const slot = 2 * node + plane;
      const state = looks.stateAt(slot);
      if (isAt(broken[node], plane) || state === 'unknown' || !counts(slot)) continue;
      if (state === 'unreachable') fails++;
      else works++;
    }
    return works + fails === 0 ? undefined : works > fails;
  }
}

/** Whether a mask has a plane, or ICMP on it where that is enough. */
function isAt(mask = 0, plane: number, isIcmpEnough = false): boolean {
  return ((mask >> (2 * plane)) & (isIcmpEnough ? 0b11 : 0b10)) !== 0;
}
