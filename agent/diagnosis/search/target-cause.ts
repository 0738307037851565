import type { Subject } from '../nouns/subject.js';
import { degradedWeight } from './explanation.js';
import { leastDegradedShare, usualDegradedShare, wellWeight, type Belief } from './prior.js';
import { leastTargetShare, lookWeight, targetPriorCost } from './target-prior.js';
import { bad, type TargetTally } from '../evidence/target-tally.js';

/** A cause about a target: who does not reach it, and from which planes. */
export interface TargetCause {
  readonly subject: Subject;
  /** The planes from which it says that the target fails: 1 the host, 2 the endpoint. Nobody may look from one. */
  readonly claim: number;
  /** Those of them from which looks are known. */
  readonly mask: number;
  /** The looks that it explains. */
  readonly slots: readonly number[];
  /** How many they are. */
  readonly paths: number;
  /** The looks since it began that found the target well although it says that it fails. */
  readonly well: number;
  readonly beganS: number;
  readonly cost: number;
  /** How much more it explained than it cost when it was looked for. */
  readonly gain: number;
}

/** What is believed of a cause, because of the last run. */
export type TargetBelief = (subject: Subject, claim: number) => Belief;

/** Finds the cost and the gain of causes about one target, given those that are chosen. */
export class TargetCauses {
  readonly tally: TargetTally;
  readonly chosen = new Set<TargetCause>();
  readonly #belief: TargetBelief;
  readonly #weights: Float32Array;
  readonly #covers: Uint16Array;

  constructor(tally: TargetTally, belief: TargetBelief) {
    this.tally = tally;
    this.#belief = belief;
    this.#weights = new Float32Array(tally.kinds.length);
    this.#covers = new Uint16Array(tally.kinds.length);
  }

  /** Sets the weight of each bad look. */
  weigh(first: number): void {
    const { tally } = this;
    const { trouble } = tally.question;
    for (const slot of tally.badSlots) {
      const other = slot ^ 1;
      const looks = tally.kinds[other] === bad ? 2 : 1;
      this.#weights[slot] =
        trouble === 'broken'
          ? lookWeight(looks, tally.agains(slot), first)
          : degradedWeight(trouble, usualDegradedShare, tally.ageS(slot));
    }
  }

  isOpen(slot: number): boolean {
    return this.#covers[slot] === 0;
  }

  /** How many nodes have a bad look that nothing explains. */
  get openNodes(): number {
    const nodes = new Set<number>();
    for (const slot of this.tally.badSlots) if (this.isOpen(slot)) nodes.add(slot >> 1);
    return nodes.size;
  }

  add(cause: TargetCause): void {
    this.chosen.add(cause);
    for (const slot of cause.slots) this.#covers[slot] = (this.#covers[slot] ?? 0) + 1;
  }

  remove(cause: TargetCause): void {
    if (!this.chosen.delete(cause)) return;
    for (const slot of cause.slots) this.#covers[slot] = (this.#covers[slot] ?? 0) - 1;
  }

  /** The weight of the looks that no other cause explains. */
  openWeight({ slots }: Pick<TargetCause, 'slots'>): number {
    return slots.reduce(
      (sum, slot) => (this.isOpen(slot) ? sum + (this.#weights[slot] ?? 0) : sum),
      0,
    );
  }

  /** The weight of the looks that this cause alone explains. */
  uniqueWeight({ slots }: TargetCause): number {
    return slots.reduce(
      (sum, slot) => (this.#covers[slot] === 1 ? sum + (this.#weights[slot] ?? 0) : sum),
      0,
    );
  }

  /** The total cost: of the causes, and of what they leave unexplained. */
  get total(): number {
    let sum = this.openWeight({ slots: this.tally.badSlots });
    for (const { cost } of this.chosen) sum += cost;
    return sum;
  }

  /** The cause of a subject from some planes; undefined if too much works against it. */
  causeAt(subject: Subject, claim: number): TargetCause | undefined {
    const { tally } = this;
    const isBroken = tally.question.trouble === 'broken';
    const belief = this.#belief(subject, claim);
    const nodes = tally.nodesOf(subject);
    const slots: number[] = [];
    const failing = new Set<number>();
    for (const node of nodes) {
      for (const slot of slotsOf(node, claim)) {
        if (tally.kinds[slot] !== bad) continue;
        slots.push(slot);
        failing.add(node);
      }
    }
    // One node alone does not say whether others can.
    if (slots.length === 0 || (subject.type !== 'node' && failing.size < 2)) return undefined;
    const open = slots.filter((slot) => this.isOpen(slot));
    const beganS = tally.beganS(open.length > 0 ? open : slots);
    const [bads, wells] = [
      [0, 0],
      [0, 0],
    ];
    for (const slot of slots) bads[slot & 1] = (bads[slot & 1] ?? 0) + 1;
    for (const node of nodes) {
      for (const slot of slotsOf(node, claim)) {
        if (tally.isWellSince(slot, beganS)) wells[slot & 1] = (wells[slot & 1] ?? 0) + 1;
      }
    }
    const leastShare = isBroken ? leastTargetShare(belief) : leastDegradedShare;
    let [mask, well] = [0, 0];
    for (const plane of [0, 1]) {
      const [fails, works] = [bads[plane] ?? 0, wells[plane] ?? 0];
      if (fails + works > 0 && fails < leastShare * (fails + works)) return undefined;
      if (fails > 0) mask |= 1 << plane;
      well += works;
    }
    const { planes } = tally.question.looks;
    const prior = targetPriorCost({
      type: subject.type,
      trouble: tally.question.trouble,
      subjects: this.#subjects(subject),
      isOnePlane: claim !== planes,
      isOneServer: tally.question.server !== undefined,
      belief,
    });
    const misfit = isBroken ? wellWeight * well : degradedMisfit(slots.length, well);
    const cost = prior + misfit;
    const gain = this.openWeight({ slots }) - cost;
    return { subject, claim, mask, slots, paths: slots.length, well, beganS, cost, gain };
  }

  #subjects({ type }: Subject): number {
    const { index } = this.tally;
    return type === 'node' ? index.size : type === 'zones' ? index.zones.length : 1;
  }
}

/** What the share of looks that a cause makes bad costs, against the usual share. */
function degradedMisfit(fails: number, works: number): number {
  const share = (fails + 0.5) / (fails + works + 1);
  return -fails * Math.log(share) - works * Math.log((1 - share) / (1 - usualDegradedShare));
}

function slotsOf(node: number, claim: number): readonly number[] {
  if (claim === 3) return [2 * node, 2 * node + 1];
  return [claim === 1 ? 2 * node : 2 * node + 1];
}
