import {
  channelsOf,
  planesOf,
  slotOf,
  slotsOf,
  type TargetTally,
} from '../evidence/target-tally.js';
import type { Cause } from '../nouns/cause.js';
import { channelsIn, icmpMask } from '../nouns/channel-mask.js';
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
export class TargetSubjects implements Subjects {
  readonly #tally: TargetTally;
  readonly #explanation: Explanation;
  readonly #weights: Weights;
  readonly #known: FormerCausesOf;

  constructor(
    tally: TargetTally,
    explanation: Explanation,
    weights: Weights,
    formerCauses: FormerCausesOf,
  ) {
    this.#tally = tally;
    this.#explanation = explanation;
    this.#weights = weights;
    this.#known = formerCauses;
  }

  *all(): Generator<void, readonly Subject[]> {
    const { index, badEntries } = this.#tally;
    const zones = new Set<number>();
    for (const node of badEntries) zones.add(index.zoneOf[node] ?? -1);
    zones.delete(-1);
    yield;
    return [
      { type: 'cluster' },
      ...(index.zones.length < 2
        ? []
        : Array.from(zones, (zone) => ({ type: 'zones' as const, zone, other: undefined }))),
      ...Array.from(badEntries, (node) => ({ type: 'node' as const, node })),
    ];
  }

  best(subject: Subject): Cause | undefined {
    if (subject.type === 'node' && !this.#explanation.hasOpenAt(subject.node)) return undefined;
    const { index } = this.#tally;
    const { type } = subject;
    const to = this.#side(subject);
    if (!to) return undefined;
    const pattern = bestPattern({
      type,
      weights: this.#weights,
      subjects: type === 'node' ? index.size : type === 'zones' ? index.zones.length : 1,
      to,
      from: undefined,
      known: this.#known(subject),
      usual,
    });
    if (!pattern) return undefined;
    const { knownChannels, ways, well, cost, gain } = pattern;
    // Losses and slowness are found by the channels that have looks.
    const channels =
      pattern.channels === knownChannels ? channelsOf(planesOf(knownChannels)) : pattern.channels;
    const { bad } = this.#tally;
    const nodes = nodesAt(subject, index).filter(
      (node) => ((bad[node] ?? 0) & knownChannels) !== 0,
    );
    return causeOf(
      this.#tally,
      { subject, channels, knownChannels, ways, well, cost, gain, isPartial: false },
      Int32Array.from(nodes),
    );
  }

  /** What a subject's nodes see; undefined if one node alone of several sees it: that does not say whether others can. */
  #side(subject: Subject): OpenSide | undefined {
    const tally = this.#tally;
    const nodes = nodesAt(subject, tally.index);
    const failing = nodes.filter((node) => tally.bad[node] !== 0);
    const open = failing.flatMap((node) => slotsOf(node, this.#explanation.openMask(node)));
    if (open.length === 0 || (subject.type !== 'node' && failing.length < 2)) return undefined;
    const beganS = tally.beganS(open);
    const [bad, well] = [
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ];
    for (const node of nodes) {
      for (const channel of channelsIn(icmpMask)) {
        const isBad = ((tally.bad[node] ?? 0) >> channel) & 1;
        const isWell = tally.isWellSince(slotOf(node, channel), beganS);
        bad[channel] = (bad[channel] ?? 0) + isBad;
        well[channel] = (well[channel] ?? 0) + Number(isWell);
      }
    }
    return { bad, well, probed: well, reported: well, open: this.#openOf(subject) };
  }

  #openOf(subject: Subject): ArrayLike<number> {
    if (subject.type === 'node') return this.#explanation.openFrom(subject.node);
    if (subject.type === 'zones') return this.#explanation.openIn(subject.zone);
    return this.#explanation.openAll;
  }
}
