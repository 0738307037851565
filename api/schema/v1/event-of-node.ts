import type { StreamEvent } from './events.js';
import { isAbout } from './finding-subject.js';

/** What is known of a node. One that has left the list is known by its name alone. */
export type KnownNode = Parameters<typeof isAbout>[1];

/** Whether an event is about a node: of a finding also as an end of a pair, as one of its zone or group, or as one of many. */
export function isEventOf(event: StreamEvent, node: KnownNode): boolean {
  switch (event.type) {
    case 'finding':
      return isAbout({ ...event, id: event.finding }, node);
    case 'path':
    case 'node':
    case 'hops':
    case 'change':
      return event.node === node.name;
    // They say that events are missing, and one of these may have been of the node.
    case 'gap':
    case 'cut':
      return true;
    case 'list':
    case 'target':
      return false;
  }
}
