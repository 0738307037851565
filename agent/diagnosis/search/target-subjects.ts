import {
  channelsOf,
  planesOf,
  slotOf,
  slotsOf,
  type TargetTally,
} from '../evidence/target-tally.js';
import { icmpMask } from '../nouns/channel-mask.js';
import { nodesAt, type Subject } from '../nouns/subject.js';
import type { Explanation } from './explanation.js';
import type { FormerCausesOf } from './former-causes.js';
import { bestPattern } from './patterns.js';
import type { OpenSide } from './subject-paths.js';
import { usualDegradedShare } from './prior.js';
import { causeOf, type Subjects } from './subjects.js';
import type { Weights } from './weights.js';

const usual = [0, 1, 2, 3].map(() => usualDegradedShare);

/** Who may not reach one target: everybody, a zone or a node. Each node says what it saw from each plane. */
export function targetSubjects(
  tally: TargetTally,
  explanation: Explanation,
  weights: Weights,
  formerCauses: FormerCausesOf,
): Subjects {
  const { index, bad } = tally;
  return {
    *all() {
      const zones = new Set<number>();
      for (const node of tally.badEntries) zones.add(index.zoneOf[node] ?? -1);
      zones.delete(-1);
      yield;
      return [
        { type: 'cluster' },
        ...(index.zones.length < 2
          ? []
          : Array.from(zones, (zone) => ({ type: 'zones' as const, zone, other: undefined }))),
        ...Array.from(tally.badEntries, (node) => ({ type: 'node' as const, node })),
      ];
    },

    best(subject) {
      if (subject.type === 'node' && !explanation.hasOpenAt(subject.node)) return undefined;
      const { type } = subject;
      const to = sideOf(subject, tally, explanation);
      if (!to) return undefined;
      const pattern = bestPattern({
        type,
        weights,
        subjects: type === 'node' ? index.size : type === 'zones' ? index.zones.length : 1,
        to,
        from: undefined,
        known: formerCauses(subject),
        usual,
      });
      if (!pattern) return undefined;
      const { knownChannels } = pattern;
      // Losses and slowness are found by the channels that have looks.
      const channels =
        pattern.channels === knownChannels ? channelsOf(planesOf(knownChannels)) : pattern.channels;
      const nodes = nodesAt(subject, index).filter(
        (node) => ((bad[node] ?? 0) & knownChannels) !== 0,
      );
      return causeOf(
        tally,
        { ...pattern, subject, channels, isPartial: false },
        Int32Array.from(nodes),
      );
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
  const open = failing.flatMap((node) => slotsOf(node, explanation.openMask(node)));
  if (open.length === 0 || (subject.type !== 'node' && failing.length < 2)) return undefined;
  const beganS = tally.beganS(open);
  const count = (isOne: (node: number, channel: number) => boolean) =>
    [0, 1, 2, 3].map((channel) =>
      (icmpMask >> channel) & 1 ? nodes.filter((node) => isOne(node, channel)).length : 0,
    );
  const bad = count((node, channel) => (((tally.bad[node] ?? 0) >> channel) & 1) === 1);
  const well = count((node, channel) => tally.isWellSince(slotOf(node, channel), beganS));
  return { bad, well, probed: well, reported: well, open: openOf(subject, explanation) };
}

function openOf(subject: Subject, explanation: Explanation): ArrayLike<number> {
  if (subject.type === 'node') return explanation.openFrom(subject.node);
  if (subject.type === 'zones') return explanation.openIn(subject.zone);
  return explanation.openAll;
}
