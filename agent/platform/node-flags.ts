/**
 * What Node is given wherever an agent is started. V8 takes these before it starts and not later.
 *
 * The young generation is at most three semi-spaces, in MB each. V8 lets it grow to 48 MB, and makes it smaller
 * again only in a process that rests. An agent never does: one tick after the other asks for memory.
 */
export const nodeFlags: readonly string[] = ['--max-semi-space-size=2'];

/**
 * The first lines of the built program: a shell that starts Node with the flags, and for Node a comment and a text.
 * `NODE_OPTIONS` of the environment come last and win. BusyBox has no `env -S`, which would be shorter.
 */
export const programStart = `#!/bin/sh
':' //; export NODE_OPTIONS="${nodeFlags.join(' ')} $NODE_OPTIONS"; exec node "$0" "$@"`;
