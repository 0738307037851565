import type { StreamEvent } from '../../schema/v1/events.js';
import { count } from './verdict-words.js';

/** What an event says, in one line. */
export function eventWords(event: StreamEvent): string {
  switch (event.type) {
    case 'path': {
      const path = `${event.plane} ${event.protocol.toUpperCase()} ${event.address}`;
      const failure = event.failure === undefined ? '' : ` (${event.failure})`;
      return `${path}: ${event.previousState} → ${event.state}${failure}`;
    }
    case 'finding': {
      const why = event.reason === undefined ? '' : ` (${event.reason})`;
      return `Finding ${event.change}${why}: ${event.text}`;
    }
    case 'node': {
      const { phase, reason } = event.lifecycle ?? {};
      const life =
        phase === undefined ? '' : `, ${phase}${reason === undefined ? '' : ` (${reason})`}`;
      const known = event.known === undefined ? '' : `, ${event.known}`;
      return `Node ${event.change}${life}${known}`;
    }
    case 'list': {
      const changes = `${event.added} added, ${event.removed} removed`;
      return `Node list of ${count(event.nodes, 'node')}, ${changes}`;
    }
    case 'target': {
      const failure = event.failure === undefined ? '' : ` (${event.failure})`;
      return `Target ${event.target}, ${event.plane}: ${event.previousState} → ${event.state}${failure}`;
    }
    case 'hops':
      return `${event.plane} ${event.address}: replies take ${event.previousHops} → ${event.hops} hops`;
    case 'change':
      return changeWords(event);
    case 'gap':
      return 'Events before this one are no longer kept.';
    case 'cut':
      return 'This page could not keep up with the events; the missing ones follow.';
  }
}

/** A change on a host, and how inexact its time is. */
export function changeWords({
  text,
  withinSeconds,
}: {
  readonly text: string;
  readonly withinSeconds: number;
}): string {
  return withinSeconds > 0 ? `${text} (at that time, or up to ${withinSeconds} s before)` : text;
}

/** Whether an event is a failure, a recovery, something that is not known any more, or only news. */
export function eventTone(event: StreamEvent): 'broken' | 'degraded' | 'ok' | 'unknown' | 'news' {
  if (event.type === 'path' || event.type === 'target') {
    if (event.state === 'unreachable') return 'broken';
    return event.state === 'unknown' ? 'unknown' : 'ok';
  }
  if (event.type === 'finding') {
    if (event.change !== 'closed') return event.severity;
    // With a reason it closed without being mended.
    return event.reason === undefined ? 'ok' : 'news';
  }
  return 'news';
}

/** The node that an event is about. */
export function nodeOf(event: StreamEvent): string | undefined {
  switch (event.type) {
    case 'path':
    case 'finding':
    case 'node':
    case 'hops':
    case 'change':
      return event.node;
    case 'list':
    case 'target':
    case 'gap':
    case 'cut':
      return undefined;
  }
}

/** Whether an event is about a node, by its whole name or by its name without the cluster. */
export function isOfNode(event: StreamEvent, name: string): boolean {
  const { pair = [], examples = [] } = event.type === 'finding' ? event : {};
  const many = examples.flatMap((one) => one.split(' - '));
  return [nodeOf(event) ?? [], pair, many]
    .flat()
    .some((node) => node === name || node.slice(node.indexOf('/') + 1) === name);
}

/** The id of an event, and when it happened. Events about the stream itself have neither. */
export function stampOf(
  event: StreamEvent,
): { readonly id: number; readonly at: string } | undefined {
  if (event.type === 'gap' || event.type === 'cut') return undefined;
  return event.type === 'change' ? { id: event.id, at: event.foundAt } : event;
}
