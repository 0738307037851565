import { freshForMs } from '../../model/row.js';
import type { Facts } from '../evidence/observations.js';
import { hintS } from '../evidence/time-model.js';
import { fellSilent } from '../evidence/hearing.js';
import type { Tally } from '../evidence/tally.js';
import { countPairs } from '../evidence/group-pairs.js';
import { allMask, channelsIn } from '../nouns/channel-mask.js';
import type { Cause } from '../nouns/cause.js';
import { weightOfLost, weightsOfLosses } from './chance-of-losses.js';
import { clusterPaths } from './cluster-paths.js';
import { explain } from './explain.js';
import { Explanation, type WeighPaths } from './explanation.js';
import { weightOfFlows } from './flows.js';
import { impliedWitnesses } from './implied-witnesses.js';
import { joinParts } from './join-parts.js';
import { formerCauses } from './former-causes.js';
import { pathSubjects, type PathSubjects } from './path-subjects.js';
import {
  degradedWeight,
  largeLossWeight,
  leastReportWeight,
  pathWeight,
  reportWeightOf,
  usualDegradedShare,
} from './prior.js';
import { smallCandidates } from './small-candidates.js';
import { pastCauses } from './past-causes.js';
import { usualShares } from './usual-shares.js';
import { pathWeights } from './weights.js';

/** The causes of all paths with one trouble, and what they were found with. */
export interface ExplainedTrouble {
  readonly tally: Tally;
  readonly explanation: Explanation;
  readonly subjects: PathSubjects;
  readonly causes: readonly Cause[];
  /** Those of the cluster and of groups. */
  readonly larger: readonly Cause[];
}

/** What is known beside the paths with the trouble. Paths are told by four times the entry plus the channel. */
export interface Otherwise {
  /** In which share of the time some path fails that no finding explains. */
  readonly strayShare: number;
  /** The failing paths that losses explain. */
  readonly oneFlow: ReadonlySet<number>;
  /** The most that a failing path weighs which causes explain that have ended; undefined if there are none. */
  readonly ended?: Float32Array | undefined;
  /** The same, once it was tried which causes that were found have ended; undefined if none has. */
  readonly endedOf?: (found: Explanation) => Generator<void, Float32Array | undefined>;
}

/** Explains the paths with one trouble. */
export function* explainTrouble(
  tally: Tally,
  facts: Facts,
  { strayShare, oneFlow, ended, endedOf }: Otherwise,
): Generator<void, ExplainedTrouble> {
  const { input, localNode } = facts;
  const { observations } = tally;
  const { observers, observerOf } = observations;
  const { from, ageS, lost } = observations.entries;
  const pairs = yield* countPairs(tally);
  yield;
  const explanation = new Explanation(tally, {
    from: observations.entries.from,
    to: observations.entries.to,
    groupOf: pairs.ofEntry,
    groups: pairs.ofZones.length,
  });
  const isBroken = tally.trouble === 'broken';
  const cluster = yield* clusterPaths(tally, pairs);
  const shares = pathWeights[tally.trouble].hasUsualShare
    ? usualShares(tally, cluster.to)
    : undefined;
  yield;
  const usual = shares?.usual ?? [];
  // Each path is probed once in an interval, and the first probes of a verdict take some seconds.
  const { own } = observations;
  const onsetS = 10 + (own ? freshForMs(own) / 2000 : 0);
  const subjects = pathSubjects({
    tally,
    pairs,
    cluster,
    explanation,
    usual,
    formerCauses: formerCauses(input, tally.trouble),
    pastCauses: isBroken ? pastCauses(input) : undefined,
    onsetS,
    fellSilent: fellSilent(facts),
  });
  let implied: ((entry: number, channel: number) => number) | undefined;
  // What is so everywhere is measured against any cluster, and the rest against this one.
  const everywhere = shares?.everywhere?.knownChannels ?? 0;
  const usualOn = (channel: number) =>
    (everywhere >> channel) & 1 ? usualDegradedShare : (usual[channel] ?? 0.5);
  const ofLosses = shares ? channelsIn(allMask).map((at) => weightsOfLosses(usualOn(at))) : [];
  let reportWeight = leastReportWeight;
  let endedWeights = ended;
  // A row from some time ago does not say that it still fails.
  const unreportedS = Float64Array.from(observers, (one) => Math.max(one.ageS - hintS, 0));
  const weighOther: WeighPaths = (weights, entry, mask, alike) => {
    for (const channel of channelsIn(mask)) {
      const lastedS = tally.ageS(entry, channel);
      const sticky = weightOfFlows(tally, entry, channel);
      const at = 4 * entry + channel;
      const unusual = weightOfLost(ofLosses[channel], ((lost[entry] ?? 0) >> (4 * channel)) & 15);
      weights[at] =
        tally.trouble === 'mtu'
          ? largeLossWeight(alike, lastedS)
          : degradedWeight(tally.trouble, unusual, lastedS) + sticky;
    }
  };
  const weighBroken: WeighPaths = (weights, entry, mask, alike) => {
    const observer = from[entry] ?? -1;
    const beforeS = unreportedS[observerOf[observer] ?? -1] ?? 0;
    for (const channel of channelsIn(mask)) {
      const at = 4 * entry + channel;
      let weight = pathWeight(alike, Math.max((ageS[at] ?? 0) - beforeS, 0), reportWeight);
      if (implied && observer === localNode) weight *= implied(entry, channel);
      if (endedWeights) weight = Math.min(weight, endedWeights[at] ?? Infinity);
      weights[at] = oneFlow.has(at) ? 0 : weight;
    }
  };
  const weigh = () => explanation.weigh(isBroken ? weighBroken : weighOther);
  if (shares?.everywhere) explanation.add(shares.everywhere);
  yield* weigh();
  const small = () => smallCandidates(tally, explanation, subjects);
  // Of few lossy paths of a node all may lead to one other node.
  const isPairLikely = shares !== undefined && tally.badEntries.length <= fewEntries;
  yield* explain(tally, explanation, subjects, isPairLikely ? small : undefined);
  // The fewer reports nothing larger explains, the less likely each of them is chance.
  if (isBroken) {
    yield;
    const { badEntries } = tally;
    let open = 0;
    for (let at = 0; at < badEntries.length; at++) {
      if ((at + 1) % slice === 0) yield;
      if (explanation.openWeight(badEntries[at] ?? 0) > 0) open++;
    }
    yield;
    reportWeight = reportWeightOf(tally.knownPairs, open, strayShare);
    // What rows only count may be as many paths of one flow.
    const isMostlyFlows = 2 * oneFlow.size > tally.badEntries.length;
    implied = isMostlyFlows
      ? undefined
      : impliedWitnesses(tally, explanation, facts, open / Math.max(tally.knownPairs, 1));
    yield;
    yield* weigh();
    // What others see too is no trouble of this node with some of them.
    if (implied) yield* explain(tally, explanation, subjects);
  }
  if (!isPairLikely) yield* explain(tally, explanation, subjects, small);
  yield;
  const again = endedOf ? yield* endedOf(explanation) : undefined;
  if (again) {
    endedWeights = again;
    for (const cause of [...explanation.causes]) explanation.remove(cause);
    yield* weigh();
    yield* explain(tally, explanation, subjects, small);
    yield;
  }
  const beganTogether = (a: Cause, b: Cause) => {
    const all = [a, b].flatMap(({ subject, ways, knownChannels }) =>
      subject.type === 'node'
        ? channelsIn(knownChannels).map((channel) =>
            tally.beganS(subject.node, channel, ways === 'out' ? 'out' : 'in'),
          )
        : [],
    );
    return Math.max(...all) - Math.min(...all) <= onsetS;
  };
  const causes = joinParts(explanation.causes, beganTogether);
  const larger = causes.filter(({ subject: { type } }) => type === 'cluster' || type === 'group');
  return { tally, explanation, subjects, causes, larger };
}

/** With more entries of losses or slowness something larger than a pair is looked for first. */
const fewEntries = 1000;
/** The work between two yields, in entries. */
const slice = 2000;
