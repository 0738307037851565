import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import { chanceReason } from './chance.js';
import { equalReason } from './equal-causes.js';
import type { Fault } from '../../faults/fault.js';
import { flowReason } from './flow-reason.js';
import { groupChanceReason } from './group-chance.js';
import { loneMemberReason } from './lone-member.js';
import { isTargetFault } from '../../faults/target-kinds.js';
import { faultsNamed } from '../../faults/faults-named.js';
import type { Scenario } from './scenarios/scenario.js';
import { targetReason } from './target-visible.js';
import { isFlowFault, isLargeFault } from './visible.js';

/** What the findings of one scenario are worth. */
export interface Judgement {
  /** The first finding names a made fault. */
  readonly isFirst: boolean;
  /** Visible faults that no finding names. */
  readonly missed: readonly Fault[];
  /** Findings that name no made fault, or one that a finding before them names. */
  readonly extra: readonly Finding[];
  /**
   * Why the true answer cannot be known: what the findings name would look exactly the same.
   * Undefined if it can be, or if the findings are exactly the faults.
   */
  readonly undecidable: string | undefined;
}

/** The visible faults are named by one finding each, and nothing else is found. */
export function isExact({ missed, extra }: Pick<Judgement, 'missed' | 'extra'>): boolean {
  return missed.length === 0 && extra.length === 0;
}

/** Holds the findings of a scenario against its faults. Missing observers are judged apart. */
export function judge(scenario: Scenario): Judgement {
  const { missed, extra, isFirst } = compare(judgedFindings(scenario), scenario);
  const undecidable = isExact({ missed, extra })
    ? undefined
    : (chanceReason(scenario, missed, extra) ??
      loneMemberReason(scenario, missed, extra) ??
      groupChanceReason(scenario, missed, extra) ??
      undecidableReason(scenario, missed, extra));
  return { missed, extra, isFirst, undecidable };
}

function undecidableReason(
  scenario: Scenario,
  missed: readonly Fault[],
  extra: readonly Finding[],
): string | undefined {
  const isAboutTargets =
    missed.some(isTargetFault) || extra.some(({ target }) => target !== undefined);
  if (missed.some(isFlowFault)) return flowReason(scenario, missed);
  if (missed.some(isLargeFault) || extra.some(({ kind }) => kind === 'mtu')) return undefined;
  return isAboutTargets
    ? targetReason(scenario, missed, extra)
    : equalReason(scenario, missed, extra);
}

/** Compares findings with faults. */
export function compare(
  findings: readonly Finding[],
  scenario: Pick<Scenario, 'made' | 'visible' | 'layout' | 'view'>,
): Pick<Judgement, 'missed' | 'extra' | 'isFirst'> {
  const { made, visible } = scenario;
  const names = new Map(
    findings.map((finding) => [finding, faultsNamed(finding, made, visible, scenario)]),
  );
  const named = new Set([...names.values()].flat());
  const [first] = findings;
  return {
    isFirst: first !== undefined && (names.get(first)?.length ?? 0) > 0,
    extra: withoutOwnFault(findings, names),
    missed: visible.filter((fault) => !named.has(fault)),
  };
}

/**
 * The findings that are left over where each gets a fault of its own: two of one pair name both of two faults there, one each.
 * One that stands for several takes all that it names.
 */
function withoutOwnFault(
  findings: readonly Finding[],
  names: ReadonlyMap<Finding, readonly Fault[]>,
): Finding[] {
  const ownerOf = new Map<Fault, Finding>();
  const takes = (finding: Finding, tried: Set<Fault>): boolean => {
    for (const fault of names.get(finding) ?? []) {
      if (tried.has(fault)) continue;
      tried.add(fault);
      const owner = ownerOf.get(fault);
      if (owner && (owner.count !== undefined || !takes(owner, tried))) continue;
      ownerOf.set(fault, finding);
      return true;
    }
    return false;
  };
  const extra: Finding[] = [];
  for (const finding of findings) {
    const { count } = finding;
    const faults = names.get(finding) ?? [];
    if (count === undefined ? !takes(finding, new Set()) : faults.every((one) => ownerOf.has(one)))
      extra.push(finding);
    else if (count !== undefined) for (const fault of faults) ownerOf.set(fault, finding);
  }
  return extra;
}

/** The findings about paths. The others tell what is not known of agents. */
export function judgedFindings({ output }: Scenario): readonly Finding[] {
  return output.findings.filter(isAboutPaths);
}

/** Whether a finding is about paths, and not about agents of which nothing is known. */
export function isAboutPaths({ kind }: Finding): boolean {
  return !apart.has(kind);
}

const apart: ReadonlySet<string> = new Set(['observers-missing', 'not-listed']);
