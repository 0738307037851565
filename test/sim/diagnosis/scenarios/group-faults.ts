import type { Random } from '../../../fuzz/random.js';
import type { Fault, FaultKind, Layout } from '../../../faults/fault.js';
import { faultKinds } from '../../../faults/kinds.js';
import { cutBetween, cutKinds } from '../../../faults/cut-kinds.js';
import { faultOfAll } from '../../../faults/label-kinds.js';
import { randomFaults } from './random-faults.js';
import {
  labelledNodes,
  type LabelledNodes,
  type Labelling,
} from '../../../faults/random-labels.js';

/** Faults of nodes and pairs: a zone would share nodes with any group. */
const singleKinds = faultKinds.filter(({ on }) => on === 'node' || on === 'pair');

export interface GroupFaults {
  readonly layout: Layout;
  readonly random: Random;
  readonly seed: number;
  /** The groups of which one has a fault; where there is none, no group has one. */
  readonly groups: readonly LabelledNodes[];
  /** The faults that a group may have, by turns. */
  readonly kinds: readonly FaultKind[];
  /** The faults that may be beside it. */
  readonly besides?: readonly FaultKind[];
}

/** All nodes of a group have the same fault, half the time beside another one. */
export function faultsOfGroup({
  layout,
  random,
  seed,
  groups,
  kinds,
  besides = singleKinds,
}: GroupFaults): Fault[] {
  const kind = kinds[seed % kinds.length];
  const given =
    groups.length === 0 || !kind
      ? []
      : [faultOfAll(kind, layout, random.pick(groups), 0.03 + 0.07 * random.next())];
  const wanted = layout.names.length < 20 ? 0 : random.below(2);
  return randomFaults(layout, wanted, random, random.below(1000), given, besides);
}

/** The groups of one value that are neither so small that they are told as nodes nor most of the cluster. */
export function singleGroups(labelling: Labelling): LabelledNodes[] {
  return labelledNodes(labelling).filter(
    ({ nodes }) => nodes.length >= 3 && nodes.length <= labelling.of.length / 2,
  );
}

/** The nodes with two values of one label cannot reach each other, half the time beside another fault. */
export function faultsOfCut({
  layout,
  random,
  seed,
  labels,
  besides = singleKinds,
}: Omit<GroupFaults, 'groups' | 'kinds'> & { readonly labels: Labelling }): Fault[] {
  const groups = singleGroups(labels);
  const labelOf = ({ text }: LabelledNodes) => text.slice(0, text.indexOf('='));
  // An agent of one of two halves cannot tell a cut from the death of the other half.
  const isPart = (first: LabelledNodes, second: LabelledNodes) =>
    first.nodes.length + second.nodes.length < layout.names.length;
  const pairs = groups.flatMap((first) =>
    groups
      .filter(
        (second) => second !== first && labelOf(second) === labelOf(first) && isPart(first, second),
      )
      .map((second) => [first, second] as const),
  );
  const kind = cutKinds[seed % cutKinds.length];
  if (pairs.length === 0 || !kind) return [];
  const [first, second] = random.pick(pairs);
  const wanted = layout.names.length < 20 ? 0 : random.below(2);
  const given = [cutBetween(kind, first, second)];
  return randomFaults(layout, wanted, random, random.below(1000), given, besides);
}
