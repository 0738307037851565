import { channels } from '../../../agent/model/channel.js';
import { History } from '../diagnosis/history.js';
import { overMs, type PlannedFault } from './round-plan.js';

/**
 * Follows which faults are over while nobody can know that, as others break all that they broke, in the same way and without a
 * gap: a server that hung answers again at the moment at which its node is cut off.
 */
export class HiddenFaults {
  readonly #faults: readonly PlannedFault[];
  /** The node of the agent that cannot know. */
  readonly #local: number;
  /** Nodes that stand for all. */
  readonly #nodes: readonly number[];
  /** Those that last, or may. */
  #open = new Set<PlannedFault>();
  #lasting: readonly PlannedFault[] = [];
  readonly #untilMs = new Map<PlannedFault, number>();

  constructor(faults: readonly PlannedFault[], local: number, nodes: readonly number[]) {
    this.#faults = faults;
    this.#local = local;
    this.#nodes = [...nodes, local];
  }

  /** Those that are hidden now. Call it often. */
  at(nowMs: number): readonly PlannedFault[] {
    const lasting = this.#faults.filter((one) => one.beginMs <= nowMs && nowMs < overMs(one));
    const isChanged =
      lasting.length !== this.#lasting.length ||
      lasting.some((one, at) => this.#lasting[at] !== one);
    const hidden = [...this.#open].filter((one) => !lasting.includes(one));
    const still = isChanged ? hidden.filter((one) => this.#isHiddenBy(one, lasting)) : hidden;
    for (const one of still) this.#untilMs.set(one, nowMs);
    this.#lasting = lasting;
    this.#open = new Set([...lasting, ...still]);
    return still;
  }

  /** For how long a fault has been hidden since it was over. */
  hiddenMs(planned: PlannedFault): number {
    return (this.#untilMs.get(planned) ?? overMs(planned)) - overMs(planned);
  }

  /** Whether all that a fault broke looks the same with it as without it, in the rows that come. */
  #isHiddenBy({ fault: { trouble } }: PlannedFault, lasting: readonly PlannedFault[]): boolean {
    if (trouble.loss !== undefined || trouble.isSlow !== undefined) return false;
    const aged = lasting.map((one) => ({ trouble: one.fault.trouble, ageS: -one.beginMs }));
    const [without, withIt] = [new History(aged), new History([...aged, { trouble, ageS: 0 }])];
    const local = this.#local;
    // A row comes with the answer to a GET.
    const isTelling = (to: number) =>
      to === local || !without.failure({ from: local, to, plane: 'host', protocol: 'http' });
    const isSame = (from: number, to: number): boolean => {
      if (to === from || !trouble.touches(from, to)) return true;
      const isMuted = (history: History) => history.mutedS(to, from) !== undefined;
      if (isMuted(withIt) !== isMuted(without)) return false;
      return channels.every((channel) => {
        const kind = (history: History) => history.failure({ from, to, ...channel })?.kind;
        return kind(withIt) === kind(without);
      });
    };
    return this.#nodes
      .filter(isTelling)
      .every((from) => this.#nodes.every((to) => isSame(from, to)));
  }
}
