import type { Cause } from '../nouns/cause.js';
import type { PathSubjects } from './path-subjects.js';
import { failingObservations } from '../evidence/observations.js';
import { knownPaths } from '../evidence/paths-of.js';
import type { CauseFlows } from '../nouns/sight.js';
import { sidesOf, sizeOfSide } from '../nouns/subject.js';
import type { Tally } from '../evidence/tally.js';

const planesOfChannels = [
  { icmp: 0, http: 1 },
  { icmp: 2, http: 3 },
] as const;
/** Where no flows were tested, echoes that fail on more paths than this have a cause of their own. */
const mostUntested = 0.6;
/** Random losses are no more often, and a row does not say how many there are. */
const leastShare = 0.2;
/** Of all paths together, one in a thousand times an outage lasts longer by chance. */
const lnRare = Math.log(1000);
/** More than so many standard deviations are no chance. Of many nodes each has its own. */
const [mostDeviations, mostNodeDeviations] = [4, 5];

/**
 * The failing paths that a cause of losses explains: one cause for each channel. Routers choose between equal paths by
 * addresses and ports, so where one of these is dead, a share of all connections never passes. The echoes of a path are
 * one flow: on the same share of the paths they never pass, and on the others they lose nothing. GETs are many flows. Where
 * three in a row take the dead path, their path is down until two in a row do not.
 */
export function oneFlowPaths(
  cause: Cause,
  flows: CauseFlows | undefined,
  tally: Tally,
  subjects: PathSubjects,
): readonly Cause[] {
  const { intervalS } = tally.times;
  const { entries } = tally.observations;
  const { fail, ageS } = entries;
  const known = countKnown(cause, tally, subjects);
  // What is lost one way is missed in both.
  const all = subjects.entriesOf(cause.subject, 'both');
  const failing = (channel: number) =>
    all.filter((entry) => (((fail[entry] ?? 0) >> channel) & 1) === 1);
  const tested = flows && flows.failing / flows.tried;
  const longS = mostOutage(tested ?? mostUntested, all.length) * intervalS;
  // Where all fails, or GETs for long, something else may be wrong. Such paths are not counted.
  const isCounted = (entry: number, http: number) =>
    !tally.failsWhole(entry) &&
    ((((fail[entry] ?? 0) >> http) & 1) === 0 || (ageS[4 * entry + http] ?? 0) <= longS);
  const planes = planesOfChannels
    .filter(
      ({ icmp, http }) =>
        tested !== undefined ||
        (cause.knownChannels >> icmp) & 1 ||
        (cause.knownChannels >> http) & 1,
    )
    .map(({ icmp, http }) => {
      // Losses that hit every flow hit echoes too.
      const isOneFlow = ((cause.knownChannels >> icmp) & 1) === 0;
      const echoes = isOneFlow ? failing(icmp) : new Int32Array();
      const counted = echoes.filter((entry) => isCounted(entry, http));
      const of = counted.length + known(icmp);
      return { icmp, http, isOneFlow, echoes, counted, of };
    });
  const of = planes.reduce((sum, plane) => sum + plane.of, 0);
  const sumOf = (lists: readonly Int32Array[]) =>
    lists.reduce((sum, { length }) => sum + length, 0);
  const roughly = Math.min(sumOf(planes.map(({ counted }) => counted)) / of, mostUntested);
  const areLikely = likelyNodes(
    planes.map(({ counted }) => counted),
    cause,
    tally,
    { share: tested ?? roughly, together: 2 },
  );
  const ofLikely = (list: Int32Array) => list.filter(areLikely);
  const count = sumOf(planes.map(({ counted }) => ofLikely(counted)));
  const areEchoesLikely = count <= (tested ? mostByChance(tested, of, 2) : mostUntested * of);
  if (!flows && !areEchoesLikely) return [];
  const share = Math.max(tested ?? count / Math.max(of, 1), leastShare);
  /** The paths that are down for a moment, as three probes in a row were lost. */
  const momentary = (channel: number, http: number, isOneFlow: boolean) => {
    const mostS = mostOutage(share, all.length) * (tally.times.alone[channel]?.sweepS ?? 0);
    // Random losses of GETs take no echoes with them, and who refuses a connection lost nothing.
    const lost = failing(channel).filter(
      (entry) =>
        (ageS[4 * entry + channel] ?? 0) <= mostS &&
        (isOneFlow || !tally.failsWhole(entry)) &&
        entries.isTimeout(entry, channel),
    );
    const ofChance = { share: shareDown(share), together: 1 };
    const down = lost.filter(likelyNodes([lost], cause, tally, ofChance));
    const { length } = down.filter((entry) => isCounted(entry, http));
    const most = mostByChance(shareDown(share), length + known(channel), 1);
    return length <= most ? partOf(cause, channel, down) : [];
  };
  const always = areEchoesLikely ? ofLikely : () => new Int32Array();
  return planes.flatMap(({ icmp, http, isOneFlow, echoes }) => [
    ...(isOneFlow ? partOf(cause, icmp, always(echoes)) : momentary(icmp, http, isOneFlow)),
    ...momentary(http, http, isOneFlow),
  ]);
}

/** Which failing paths of zones lead to no node, and from none, that has far more of them: such nodes have a cause of their own. */
function likelyNodes(
  lists: readonly Int32Array[],
  { subject }: Cause,
  { index, observations }: Tally,
  { share, together }: { readonly share: number; readonly together: number },
): (entry: number) => boolean {
  if (subject.type !== 'cluster' && subject.type !== 'zones') return () => true;
  const { from, to } = observations.entries;
  const { inner, outer } = sidesOf(subject, index);
  const [within, beyond] = [sizeOfSide(inner), sizeOfSide(outer)];
  const peersOf = (node: number) =>
    subject.type === 'cluster' ? index.size - 1 : inner.isIn(node) ? beyond : within;
  const unlikely = new Uint8Array(index.size);
  for (const list of lists) {
    const counts = new Int32Array(index.size);
    for (const entry of list) {
      for (const node of [from[entry] ?? 0, to[entry] ?? 0]) counts[node] = (counts[node] ?? 0) + 1;
    }
    counts.forEach((count, node) => {
      if (count > mostByChance(share, 2 * peersOf(node), together, mostNodeDeviations))
        unlikely[node] = 1;
    });
  }
  return (entry) => unlikely[from[entry] ?? 0] === 0 && unlikely[to[entry] ?? 0] === 0;
}

function partOf(cause: Cause, channel: number, entries: Int32Array): readonly Cause[] {
  const mask = 1 << channel;
  const { length } = entries;
  return length === 0
    ? []
    : [{ ...cause, channels: mask, knownChannels: mask, entries, paths: length }];
}

/**
 * How many paths of a cause are known on a channel. Rows that name few of many lossy paths may tell of all that fail, so of
 * zones and the cluster these are the paths of which rows tell whether they fail.
 */
function countKnown(
  { subject }: Cause,
  tally: Tally,
  subjects: PathSubjects,
): (channel: number) => number {
  const { observers } = failingObservations(tally.observations);
  const isOfFew = subject.type === 'node' || subject.type === 'pair';
  if (isOfFew || observers === tally.observations.observers) {
    const sides = Object.values(subjects.sides(subject));
    return (channel) =>
      sides.reduce((sum, { bad, well }) => sum + (bad[channel] ?? 0) + (well[channel] ?? 0), 0);
  }
  return (channel) => {
    const reportedBy = knownPaths(subject, 'both', 1 << channel, tally.index);
    return observers.reduce((sum, observer) => sum + reportedBy(observer), 0);
  };
}

/** A row that has no room for all names more failing paths than others. */
const namedFactor = 1.15;

/** So many of some paths are not more than chance, where `together` of them always go together. */
function mostByChance(
  share: number,
  of: number,
  together: number,
  deviations = mostDeviations,
): number {
  return (
    namedFactor * share * of +
    together * (1 + deviations * Math.sqrt((share * (1 - share) * of) / together))
  );
}

/** The share of the time in which a path is down that loses this share of GETs. */
function shareDown(share: number): number {
  const [begins, ends] = [share ** 3, (1 - share) ** 2];
  return begins / (begins + ends);
}

/** Outages of such paths last no longer, in probes of a path: each probe ends one with the chance that two in a row are answered. */
function mostOutage(share: number, paths: number): number {
  return 2 + (lnRare + Math.log(Math.max(paths, 1))) / -Math.log(1 - (1 - share) ** 2);
}
