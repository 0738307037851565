/**
 * What Node is given wherever an agent is started. V8 takes these before it starts and not later.
 *
 * The young generation is at most three semi-spaces, in MB each. V8 lets it grow to 48 MB, and makes it smaller
 * again only in a process that rests. An agent never does: one tick after the other asks for memory.
 */
export const nodeFlags: readonly string[] = ['--max-semi-space-size=2'];

/**
 * What glibc is told: one heap for all threads, and to give back what is free at its end above 1 MB. Otherwise each of
 * V8's and libuv's threads keeps a heap of its own, and what large blocks took once stays with the process: a quarter
 * of an agent's private memory in all. Source: mallopt(3).
 */
export const nodeEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

const defaults = Object.entries(nodeEnvironment).map(
  ([name, value]) => `${name}="\${${name}:-${value}}"`,
);

/**
 * The first lines of the built program: a shell that starts Node with all this, and for Node a comment and a text.
 * What the environment says wins; its `NODE_OPTIONS` come last. BusyBox has no `env -S`, which would be shorter.
 */
export const programStart = `#!/bin/sh
':' //; export ${defaults.join(' ')} NODE_OPTIONS="${nodeFlags.join(' ')} $NODE_OPTIONS"; exec node "$0" "$@"`;
