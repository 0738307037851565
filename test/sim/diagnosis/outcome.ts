import { flowsTold, type FlowsTold } from './flows-told.js';
import { isExact, judge, judgedFindings } from './judge.js';
import { missingObserversOf, type MissingObservers } from './missing-observers.js';
import { scenario } from './scenarios/scenario.js';
import type { Variant } from './scenarios/variants.js';
import { tellScenario } from './tell-scenario.js';

/** A fault that must be found, and whether it was. */
export interface VisibleFault {
  readonly what: string;
  readonly isFound: boolean;
  /** The first finding names it. */
  readonly isFirst: boolean;
}

/** What one scenario gave, as plain data. */
export interface Outcome {
  readonly seed: number;
  readonly nodes: number;
  /** How many faults were made, visible or not. */
  readonly made: number;
  readonly visible: readonly VisibleFault[];
  readonly isExact: boolean;
  readonly isFirst: boolean;
  /** Some finding names no made fault, or the same one as another. */
  readonly isExtra: boolean;
  /** Why the true answer cannot be known; undefined if it can be. */
  readonly undecidable: string | undefined;
  readonly flows: FlowsTold;
  readonly observers: MissingObservers;
  /** What was made and what was found. */
  readonly line: string;
}

/** Runs the scenario of a seed. */
export function outcomeOf(seed: number, variant: Variant): Outcome {
  const one = scenario(seed, variant);
  const { made, visible, layout, view } = one;
  const judgement = judge(one);
  const { isFirst, missed, extra, undecidable } = judgement;
  const [first] = judgedFindings(one);
  const why =
    undecidable !== undefined
      ? 'undecidable'
      : visible.length > 0 && !isFirst
        ? 'another first'
        : '';
  return {
    seed,
    nodes: layout.names.length,
    made: made.length,
    visible: visible.map((fault) => ({
      what: fault.what,
      isFound: !missed.includes(fault),
      isFirst: first !== undefined && fault.isNamedBy(first, view),
    })),
    isExact: isExact(judgement),
    isFirst,
    isExtra: extra.length > 0,
    undecidable,
    flows: flowsTold(one),
    observers: missingObserversOf(one),
    line: tellScenario(one, judgement, why),
  };
}
