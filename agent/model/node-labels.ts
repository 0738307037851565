import { isZoneLabel, plainZoneLabel } from '../../api/schema/v1/zone-label.js';

/** The values of a node by the names of labels that group nodes. Read one with `labelOf`: a name may be any word. */
export type NodeLabels = Readonly<Record<string, string>>;

/** What of a node puts it into groups. */
export interface GroupedNode {
  /** Where it stands: nodes of a zone share what fails together. */
  readonly zone?: string | undefined;
  /** Its values of the labels that group nodes, but for the zone. Left out: it has none of them. */
  readonly labels?: NodeLabels | undefined;
}

/** Nodes are grouped by at most so many labels, the zone among them. */
export const mostGroupLabels = 8;

/** What the name of a label looks like: as in Kubernetes, 1 to 63 letters, digits, - _ . after an optional prefix. */
export const labelNamePattern =
  '([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?';
export const labelNameForm =
  '1 to 63 letters, digits, - _ ., with or without a prefix such as example.com/';
const labelName = new RegExp(`^${labelNamePattern}$`);
/** Printable ASCII without a space at an end: `containerd://1.7.2`, `Debian GNU/Linux 13 (trixie)`. */
const labelValue = /^[\x21-\x7e](?:[\x20-\x7e]{0,125}[\x21-\x7e])?$/;

/** Whether a text can be the name of a label. */
export function isLabelName(text: string): boolean {
  return labelName.test(text);
}

/** Whether a text can be the value of a label: 1 to 127 printable ASCII characters. */
export function isLabelValue(text: string): boolean {
  return labelValue.test(text);
}

/** The value of a label of a node; undefined if it has none. The labels of the zone give its zone. */
export function labelOf({ labels, zone }: GroupedNode, label: string) {
  if (isZoneLabel(label)) return zone;
  return labels && Object.hasOwn(labels, label) ? labels[label] : undefined;
}

/**
 * Those of some labels that have a good value; undefined if none has. The zone is none of them.
 * @param valueOf what may come from anywhere
 */
export function chosenLabels(
  chosen: readonly string[],
  valueOf: (label: string) => string | undefined,
): NodeLabels | undefined {
  const entries = chosen.flatMap((label): [string, string][] => {
    const value = isZoneLabel(label) ? undefined : valueOf(label);
    return value !== undefined && isLabelValue(value) ? [[label, value]] : [];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/**
 * The labels that group the nodes of a list where no setting names them: the zone first, then those that
 * nodes have, in the order in which they come, up to `mostGroupLabels`.
 */
export function groupLabelsOf(nodes: Iterable<GroupedNode>): readonly string[] {
  const found = new Set<string>();
  let hasZone = false;
  for (const { labels = {}, zone } of nodes) {
    hasZone ||= zone !== undefined;
    for (const label of Object.keys(labels)) found.add(label);
  }
  return [...(hasZone ? [plainZoneLabel] : []), ...found].slice(0, mostGroupLabels);
}

/**
 * Makes labels of a few values, such that nodes with the same ones share one object: thousands of nodes have some
 * dozens of sets of labels.
 */
export function labelSharing(): (labels: NodeLabels) => NodeLabels {
  const known = new Map<string, NodeLabels>();
  return (labels) => {
    const key = JSON.stringify(labels);
    const same = known.get(key);
    if (same) return same;
    // A label with a value for each node must not fill the memory of an agent that runs for months.
    if (known.size >= mostShared) known.clear();
    known.set(key, labels);
    return labels;
  };
}

const mostShared = 10_000;
