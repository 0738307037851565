import { clusterKinds } from '../../../faults/group-kinds.js';
import { diagnose } from '../../../../agent/diagnosis/diagnose.js';
import type {
  DiagnosisInput,
  DiagnosisOutput,
} from '../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { Random } from '../../../fuzz/random.js';
import type { Fault, Layout, View } from '../../../faults/fault.js';
import { observeNetwork } from '../observe-network.js';
import { isLargeFault, isVisibleIn, reportsIn, type Report } from '../visible.js';
import type { Conditions } from './conditions.js';
import { variants, type Variant } from './variants.js';

const now = Date.parse('2026-11-21T12:00:00Z');

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

/** By then every finding has settled. */
const settledMs = 11_000;
/** By then those of large packets have. */
const largeSettledMs = 35_000;

/** Makes the scenario of a seed. The same seed and variant always give the same scenario. */
export function scenario(seed: number, variant: Variant = 'base'): Scenario {
  const random = new Random(seed);
  for (let i = 0; i < 3; i++) random.next();
  const { layout, faults: made, conditions } = variants[variant](random, seed);
  const { input: seen, wrongReports } = observeNetwork(conditions, random, now);
  const input = { ...seen, previous: undefined };
  const first = diagnose(input);
  // A row does not say since when one DNS server of several fails, so it is waited for.
  const hasLarge = made.some(isLargeFault);
  const later = (afterMs: number) => ({ ...input, now: now + afterMs, previous: first });
  const output = hasLarge
    ? diagnose(later(largeSettledMs))
    : conditions.targets
      ? diagnose(later(settledMs))
      : first;
  const fresh = seen.rows.filter(({ freshness }) => freshness === 'fresh');
  const observers = new Set(fresh.map(({ row }) => row.observer));
  const view: View = {
    localName: input.localName,
    hasRow: (name) => name !== undefined && observers.has(name),
    failEchoesAnyway: made.some(({ what }) => what === clusterKinds.icmp.what),
  };
  const isVisible = isVisibleIn(seen.rows, conditions);
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
    reportsOf: reportsIn(seen.rows, conditions),
    visible: made.filter((fault) => fault.isExpected ?? isVisible(fault)),
  };
}
