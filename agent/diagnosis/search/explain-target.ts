import {
  bad,
  slotsOf,
  targetKey,
  type TargetTally,
  type TargetQuestion,
} from '../evidence/target-tally.js';
import { channelsIn, sizeOf } from '../nouns/channel-mask.js';
import { nodesAt, type Subject } from '../nouns/subject.js';
import { explain } from './explain.js';
import { Explanation } from './explanation.js';
import type { FormerCausesOf } from './former-causes.js';
import { bestPattern } from './patterns.js';
import {
  degradedWeight,
  firstLookWeight,
  leastLookWeight,
  lookWeight,
  usualDegradedShare,
} from './prior.js';
import { noSide, type OpenSide } from './subject-paths.js';
import { causeOf, type Subjects } from './subjects.js';
import { targetWeights } from './weights.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import { placed } from '../nouns/named-cause.js';

const usual = [usualDegradedShare, usualDegradedShare];

/** Explains all bad looks at one target: with the causes that have the least total cost. */
export function* explainTarget(
  tally: TargetTally,
  formerCauses: FormerCausesOf,
): Generator<void, Explanation> {
  const { index, trouble } = tally;
  // A target is at no node.
  const explanation = new Explanation(tally, {
    from: Int32Array.from(index.nodes.keys()),
    to: new Int32Array(index.size).fill(-1),
    groupOf: index.zoneOf,
    groups: index.zones.length,
  });
  const subjects = targetSubjects(tally, explanation, formerCauses);
  const weigh = (first: number) =>
    explanation.weigh((weights, node, planes) => {
      for (const plane of channelsIn(planes))
        weights[4 * node + plane] =
          trouble === 'broken'
            ? lookWeight(sizeOf(tally.bad[node] ?? 0), tally.agains(node, plane), first)
            : degradedWeight(trouble, -Math.log(usualDegradedShare), tally.ageS(node, plane));
    });
  yield* weigh(leastLookWeight);
  yield* explain(tally, explanation, subjects);
  if (trouble !== 'broken') return explanation;
  // The fewer looks nothing explains, the less likely each of them is chance.
  const open = tally.badEntries.filter((node) => explanation.openMask(node) !== 0).length;
  yield* weigh(firstLookWeight(tally.knownNodes, open));
  yield* explain(tally, explanation, subjects);
  return explanation;
}

/** Who may not reach one target: everybody, a zone or a node. Each node says what it saw from each plane. */
function targetSubjects(
  tally: TargetTally,
  explanation: Explanation,
  formerCauses: FormerCausesOf,
): Subjects {
  const { index, bad: planes, badEntries, question } = tally;
  const weights = targetWeights(
    tally.trouble,
    question.looks.planes,
    question.server !== undefined,
  );
  return {
    *all() {
      const zones = new Set<number>();
      for (const node of badEntries) zones.add(index.zoneOf[node] ?? -1);
      zones.delete(-1);
      yield;
      return [
        { type: 'cluster' },
        ...(index.zones.length < 2
          ? []
          : Array.from(zones, (group) => ({ type: 'zones' as const, group, other: undefined }))),
        ...Array.from(badEntries, (node) => ({ type: 'node' as const, node })),
      ];
    },

    best(subject) {
      const { type } = subject;
      if (type === 'node' && !explanation.hasOpenAt(subject.node)) return undefined;
      const to = sideOf(subject, tally, explanation);
      if (!to) return undefined;
      const count = type === 'node' ? index.size : type === 'zones' ? index.zones.length : 1;
      const known = formerCauses(subject);
      const pattern = bestPattern({
        type,
        weights,
        subjects: count,
        to,
        from: noSide,
        known,
        usual,
      });
      if (!pattern) return undefined;
      const nodes = nodesAt(subject, index).filter(
        (node) => ((planes[node] ?? 0) & pattern.knownChannels) !== 0,
      );
      return causeOf(tally, subject, pattern, Int32Array.from(nodes));
    },
  };
}

/** What a subject's nodes see; undefined if one node alone of several sees it: that does not say whether others can. */
function sideOf(
  subject: Subject,
  tally: TargetTally,
  explanation: Explanation,
): OpenSide | undefined {
  const nodes = nodesAt(subject, tally.index);
  const failing = nodes.filter((node) => tally.bad[node] !== 0);
  const openSlots = failing.flatMap((node) => slotsOf(node, explanation.openMask(node)));
  if (openSlots.length === 0 || (subject.type !== 'node' && failing.length < 2)) return undefined;
  const beganS = tally.beganS(openSlots);
  const count = (isOne: (slot: number) => boolean) =>
    [0, 1].map((plane) => nodes.filter((node) => isOne(2 * node + plane)).length);
  const well = count((slot) => tally.isWellSince(slot, beganS));
  const open =
    subject.type === 'node'
      ? explanation.openFrom(subject.node)
      : subject.type === 'zones'
        ? explanation.openIn(subject.group)
        : explanation.openAll;
  return {
    bad: count((slot) => tally.kinds[slot] === bad),
    well,
    probed: well,
    reported: well,
    open,
  };
}

/** The looks from before a finding of the last runs recovered: where the target is reached again, an older failure says nothing any more. */
export function outdatedLooks(
  { previous, index, now }: DiagnosisInput,
  question: TargetQuestion,
): ReadonlySet<number> {
  const outdated = new Set<number>();
  const key = targetKey(question);
  for (const { causes, openings, sinceMs } of previous?.memory.values() ?? []) {
    const its = causes.filter(
      ({ target, trouble }) => target === key && trouble === question.trouble,
    );
    for (const { subject, channels } of openings.length === 0 ? [] : placed(its, index)) {
      const places = nodesAt(subject, index).map((node) => slotsOf(node, channels));
      const recoveredS = recoveredSinceS(question, places, (now - sinceMs) / 1000);
      for (const slot of places.flat())
        if ((question.looks.probedS[slot] ?? 0) > recoveredS) outdated.add(slot);
    }
  }
  return outdated;
}

/** The looks of one node tell of the recovery of one; those of more nodes must agree. */
const leastRecovered = 2;

/** When a target was reached again by nodes that did not reach it, in seconds ago; Infinity if it was not. */
function recoveredSinceS(
  { looks, lists, server }: TargetQuestion,
  places: readonly (readonly number[])[],
  sinceS: number,
): number {
  const isAgain = (slot: number) =>
    (!server || (lists.digestAt(slot) === server.list && !looks.details.has(slot))) &&
    // Losses and slowness have an age of their own.
    looks.stateAt(slot) === 'reachable' &&
    (looks.ageS[slot] ?? 0) < sinceS - 1;
  const ages = places.flatMap((slots) => {
    const again = slots.filter(isAgain).map((slot) => looks.ageS[slot] ?? 0);
    return again.length === 0 ? [] : Math.max(...again);
  });
  ages.sort((a, b) => b - a);
  return ages[Math.min(leastRecovered, places.length) - 1] ?? Infinity;
}
