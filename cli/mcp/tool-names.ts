import type { PathTestName } from '../../api/schema/v1/path-tests.js';

// This is a file of its own, so that the help has the names without loading the tools.

/** The tools that only read, in the order in which they are offered. */
export const readingTools = [
  'diagnose',
  'node',
  'matrix',
  'events',
  'history',
  'targets',
  'signs',
] as const;
export type ReadingTool = (typeof readingTools)[number];

/** The tools that send packets, which `--allow-tests` adds. */
export const sendingTools = ['trace', 'mtu', 'flows'] as const satisfies readonly PathTestName[];
