import { diagnose } from '../../../../agent/diagnosis/diagnose.js';
import type {
  DiagnosisInput,
  DiagnosisOutput,
} from '../../../../agent/diagnosis/diagnosis-input.js';
import { Random } from '../../../fuzz/random.js';
import type { Fault, Layout, View } from '../faults/fault.js';
import { observeNetwork } from '../observe-network.js';
import { reportsIn, type Report } from '../visible.js';
import type { Conditions } from './conditions.js';
import { variants, type Variant } from './variants.js';

export const now = Date.parse('2026-11-21T12:00:00Z');

/** A simulated cluster with its faults, and the diagnosis of it. */
export interface Scenario {
  readonly seed: number;
  readonly variant: Variant;
  readonly input: DiagnosisInput;
  readonly output: DiagnosisOutput;
  readonly layout: Layout;
  readonly made: readonly Fault[];
  /** Those that must be found: some observer sees a path that only this fault explains. */
  readonly visible: readonly Fault[];
  readonly conditions: Conditions;
  readonly view: View;
  /** What rows tell of a fault alone. */
  readonly reportsOf: (fault: Fault) => Iterable<Report>;
  /** The channels that were reported wrongly, one bit each, by `observer,target`. */
  readonly wrongReports: ReadonlyMap<string, number>;
}

/** Makes the scenario of a seed. The same seed and variant always give the same scenario. */
export function scenario(seed: number, variant: Variant = 'base'): Scenario {
  const random = new Random(seed);
  for (let i = 0; i < 3; i++) random.next();
  const { layout, faults: made, conditions } = variants[variant](random, seed);
  const { input: seen, wrongReports } = observeNetwork(conditions, random, now);
  const input = { ...seen, previous: undefined };
  const output = diagnose(input);
  const fresh = seen.rows.filter(({ freshness }) => freshness === 'fresh');
  const observers = new Set(fresh.map(({ row }) => row.observer));
  const view: View = {
    localName: input.localName,
    hasRow: (name) => name !== undefined && observers.has(name),
  };
  const reportsOf = reportsIn(seen.rows, conditions);
  const isVisible = (fault: Fault) => reportsOf(fault).next().done !== true;
  return {
    seed,
    variant,
    input,
    output,
    layout,
    made,
    conditions,
    view,
    wrongReports,
    reportsOf,
    visible: made.filter((fault) => fault.isExpected ?? isVisible(fault)),
  };
}
