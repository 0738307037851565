import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** A file of these belongs to `npm run test:long`. All other tests belong to `npm test`. */
export const longFiles = ['test/**/*.{long,fuzz}.test.ts'];

/**
 * The files of the lab that load the machine, or whose agents probe twenty times a second, or have
 * twelve hosts at default settings. Each has the machine to itself, after all other tests: two labs of
 * twelve at once take a slow machine whole, and then probes are late that nothing delays.
 */
export const aloneLabFiles = [
  'test/lab/{floods,kubernetes-conditions,loss,stress,targets,two-faults,why}.long.test.ts',
];

/**
 * Vitest leaves one processor free by default. But many tests wait for a network or a process. All
 * projects of a group need the same number.
 */
const maxWorkers = Math.max(2, availableParallelism());

/** A project of vitest: the files that match, with the limits that all projects have. */
export function project(name: string, include: string[], more: object = {}) {
  return {
    test: {
      name,
      include,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      // What comes at once may take seconds on a machine that has much else to do.
      expect: { poll: { timeout: 20_000 } },
      maxWorkers,
      ...more,
    },
  };
}

/**
 * How often a test of real processes and networks is run again when it fails: what else a machine does may stop them
 * for seconds. `.ci/run` sets it. The closing lines name each test that passed so.
 */
const retry = Number(process.env['TEST_RETRIES'] ?? 0);

/** Tests that start the programs of dist. */
export const builtLimits = {
  retry,
  globalSetup: [fileURLToPath(new URL('./require-build.ts', import.meta.url))],
};

/** How long a test waits for what the page is to show. A browser that shares two slow processors takes its time. */
export const pageWaitMs = 60_000;

/**
 * Without isolation the driver of the browser is loaded once and not by every file. The page is
 * later than the integration tests, as both start the mesh of `npm start`, which has fixed addresses.
 */
export const pageLimits = {
  ...builtLimits,
  testTimeout: 180_000,
  expect: { poll: { timeout: pageWaitMs } },
  isolate: false,
  sequence: { groupOrder: 1 },
};

/**
 * Agents in the lab take little of the processor, but not while other tests need all of it. Three labs at once take two
 * processors for less than half of the time.
 */
export const labLimits = {
  ...builtLimits,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  maxWorkers: 3,
  sequence: { groupOrder: 2 },
};

export const aloneLabLimits = { ...labLimits, maxWorkers: 1, sequence: { groupOrder: 3 } };
