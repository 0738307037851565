import type { DiagnosisOutput } from '../diagnosis/diagnosis-input.js';
import type { Finding } from '../diagnosis/finding.js';
import type { Node } from '../model/node.js';
import type { Change } from '../reports/event-log.js';
import type { Transition } from '../results/result-store.js';

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

/** The findings that opened, closed, or changed in severity between two results. */
export function findingEvents(
  result: DiagnosisOutput,
  before: DiagnosisOutput | undefined,
  now: number,
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
    ...closed.map((finding) => findingEvent(finding, 'closed', now)),
  ];
}

function findingEvent(
  { id, kind, severity, node, text }: Finding,
  change: 'opened' | 'changed' | 'closed',
  now: number,
): Change {
  const at = new Date(now).toISOString();
  const about = node === undefined ? {} : { node };
  return { type: 'finding', at, change, finding: id, kind, severity, ...about, text };
}

/** The nodes that came, went or changed their lifecycle between two lists, and the list itself. */
export function nodeListEvents(
  nodes: readonly Node[],
  before: readonly Node[] | undefined,
  now: number,
): Change[] {
  const at = new Date(now).toISOString();
  const known = new Map((before ?? []).map((node) => [node.name, node]));
  const listed = new Set(nodes.map(({ name }) => name));
  const event = (node: Node, change: 'added' | 'changed' | 'removed'): Change => ({
    type: 'node',
    at,
    change,
    node: node.name,
    lifecycle: { ...(node.lifecycle ?? { phase: 'active' }) },
  });
  const added = nodes.filter(({ name }) => !known.has(name));
  const removed = [...known.values()].filter(({ name }) => !listed.has(name));
  const changed = nodes.filter((node) => {
    const previous = known.get(node.name);
    return previous !== undefined && phaseOf(previous) !== phaseOf(node);
  });
  const list: Change = {
    type: 'list',
    at,
    nodes: nodes.length,
    added: added.length,
    removed: removed.length,
  };
  // The first list would fill the log with one event a node.
  if (before === undefined) return [list];
  return [
    list,
    ...added.map((node) => event(node, 'added')),
    ...changed.map((node) => event(node, 'changed')),
    ...removed.map((node) => event(node, 'removed')),
  ];
}

function phaseOf({ lifecycle }: Node): string {
  return lifecycle?.phase ?? 'active';
}
