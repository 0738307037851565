// This is a file of its own, so that the CLI has the list without loading the schemas.

/** What an event is about. A reader skips one of a type that it does not know. */
export const eventTypes = ['path', 'finding', 'node', 'list', 'target', 'hops', 'change'] as const;
export type EventType = (typeof eventTypes)[number];
