import type { DiagnosisOutput } from '../diagnosis/nouns/diagnosis-input.js';
import type { Finding } from '../diagnosis/nouns/finding.js';
import type { SeenChange } from '../model/row-host.js';
import { changeText } from '../model/host-words.js';
import { knownText, type Node } from '../model/node.js';
import type { Change } from '../reports/event-log.js';
import type { Path } from '../model/path.js';
import type { Steps } from '../platform/time-slices.js';
import type { Transition } from '../results/result-store.js';
import type { HopsChange } from '../results/usual-hops.js';
import type { TargetTransition } from '../targets/target-results.js';
import { listChanges, type ListChange } from './list-changes.js';

/**
 * The event of a path that changed its state; undefined for a first answer, because every path has
 * one.
 */
export function pathEvent(transition: Transition, now: number): Change | undefined {
  const { path, protocol, before, after } = transition;
  if (before.state === 'unknown' && after.state === 'reachable') return undefined;
  return {
    type: 'path',
    at: new Date(now).toISOString(),
    node: path.node,
    plane: path.plane,
    protocol,
    address: path.ip,
    previousState: before.state,
    state: after.state,
    ...(after.failure !== undefined && { failure: after.failure }),
  };
}

/** The event of a path whose replies come back by another number of hops. */
export function hopsEvent(path: Path, { before, after }: HopsChange, now: number): Change {
  return {
    type: 'hops',
    at: new Date(now).toISOString(),
    node: path.node,
    plane: path.plane,
    address: path.ip,
    previousHops: before,
    hops: after,
  };
}

/** The event of a target that changed its state; undefined for a first answer. */
export function targetEvent(transition: TargetTransition, now: number): Change | undefined {
  const { target, plane, before, after } = transition;
  if (before.state === 'unknown' && after.state === 'reachable') return undefined;
  return {
    type: 'target',
    at: new Date(now).toISOString(),
    target,
    plane,
    previousState: before.state,
    state: after.state,
    ...(after.failure !== undefined && { failure: after.failure }),
  };
}

/** Why a finding closed whose target or node was taken out: nothing is known of it, so it is not mended. */
export const noLongerWatched = 'no longer watched';

/**
 * The findings that opened, closed, or changed in severity between two results.
 * @param isWatched false for a finding about a target that this agent had, or a node that was listed, and is no longer
 */
export function findingEvents(
  result: Pick<DiagnosisOutput, 'findings'>,
  before: Pick<DiagnosisOutput, 'findings'> | undefined,
  now: number,
  isWatched: (finding: Finding) => boolean,
): Change[] {
  const known = new Map((before?.findings ?? []).map((finding) => [finding.id, finding]));
  const open = new Map(result.findings.map((finding) => [finding.id, finding]));
  const opened = result.findings.filter(({ id }) => !known.has(id));
  const changed = result.findings.filter(({ id, severity }) => {
    const previous = known.get(id);
    return previous !== undefined && previous.severity !== severity;
  });
  const closed = [...known.values()].filter(({ id }) => !open.has(id));
  return [
    ...opened.map((finding) => findingEvent(finding, 'opened', now)),
    ...changed.map((finding) => findingEvent(finding, 'changed', now)),
    ...closed.map((finding) => {
      const event = findingEvent(finding, 'closed', now);
      return isWatched(finding) ? event : { ...event, reason: noLongerWatched };
    }),
  ];
}

function findingEvent(
  { id, kind, severity, text, node, pair, zones, group, groups, count, examples }: Finding,
  change: 'opened' | 'changed' | 'closed',
  now: number,
): Change {
  const at = new Date(now).toISOString();
  const about = {
    ...(node !== undefined && { node }),
    ...(pair && { pair: [...pair] as [string, string] }),
    ...(zones && { zones: [...zones] }),
    ...(group && { group: withoutLike(group) }),
    ...(groups && { groups: groups.map((one) => withoutLike(one)) }),
    ...(count !== undefined && { count }),
    ...(examples && { examples: [...examples] }),
  };
  return { type: 'finding', at, change, finding: id, kind, severity, ...about, text };
}

/** Which other labels have the same nodes is no matter of an event. */
function withoutLike({ label, value, nodes, and }: NonNullable<Finding['group']>) {
  return { label, value, nodes, ...(and && { and }) };
}

/**
 * Tells of the nodes that came, went, or changed their lifecycle or condition between two lists, and first of the list
 * itself. One pass over each list, in steps, because lists are long and arrive between probes.
 * @param onChange called with each further thing that is different of a node that was there before
 */
export function* nodeListEvents(
  nodes: readonly Node[],
  before: readonly Node[] | undefined,
  now: number,
  tell: (change: Change) => void,
  onChange: (node: string, change: ListChange) => void = () => undefined,
): Steps<void> {
  const at = new Date(now).toISOString();
  // Those that are still there at the end are gone.
  const left = new Map<string, Node>();
  for (const node of before ?? []) {
    left.set(node.name, node);
    yield;
  }
  const added: Node[] = [];
  const changed: Node[] = [];
  for (const node of nodes) {
    const previous = left.get(node.name);
    if (previous === undefined) added.push(node);
    else if (previous !== node) {
      if (!isAsBefore(previous, node)) changed.push(node);
      for (const change of listChanges(previous, node)) onChange(node.name, change);
    }
    left.delete(node.name);
    yield;
  }
  const counts = { nodes: nodes.length, added: added.length, removed: left.size };
  tell({ type: 'list', at, ...counts });
  // The first list would fill the log with one event a node.
  if (before === undefined) return;
  const all = [
    [added, 'added'],
    [changed, 'changed'],
    [left.values(), 'removed'],
  ] as const;
  for (const [some, change] of all) {
    for (const node of some) {
      tell(nodeEvent(node, change, at));
      yield;
    }
  }
}

/** The event of something that this agent saw change of a node. */
export function seenChangeEvent(
  node: string,
  change: SeenChange,
  now: number,
  wallOffsetMs: number,
): Change {
  return {
    type: 'change',
    at: new Date(now).toISOString(),
    node,
    foundAt: new Date(change.foundMs + wallOffsetMs).toISOString(),
    withinSeconds: change.withinSeconds,
    change: change.change,
    text: changeText(change),
    from: change.from,
    to: change.to,
  };
}

function nodeEvent(node: Node, change: 'added' | 'changed' | 'removed', at: string): Change {
  return {
    type: 'node',
    at,
    change,
    node: node.name,
    lifecycle: { ...(node.lifecycle ?? { phase: 'active' }) },
    ...(node.condition && { known: knownText(node.condition) }),
  };
}

function isAsBefore(a: Node, b: Node): boolean {
  return (
    (a.lifecycle?.phase ?? 'active') === (b.lifecycle?.phase ?? 'active') &&
    a.condition?.name === b.condition?.name &&
    a.condition?.sinceAt === b.condition?.sinceAt
  );
}
