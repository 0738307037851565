import type { Random } from '../../../fuzz/random.js';
import type { Fault, FaultKind, Layout } from '../faults/fault.js';
import { faultKinds } from '../faults/kinds.js';
import { faultOfAll } from '../faults/label-kinds.js';
import { randomFaults } from './random-faults.js';
import { labelledNodes, type LabelledNodes, type Labelling } from './random-labels.js';

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
