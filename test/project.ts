import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ProjectConfig } from 'vitest/node';
import { bundled } from './bundled.js';

/** A file of these belongs to `npm run test:long`. All other tests belong to `npm test`. */
export const longFiles = ['test/**/*.{long,fuzz}.test.ts'];

/** The files of the lab that load the machine on purpose. Each has it to itself, after all other tests. */
export const aloneLabFiles = ['test/lab/{floods,stress}.long.test.ts'];

/**
 * The files of the lab with twelve hosts at default settings, and those whose agents probe twenty times a second.
 * They run beside nothing else, as on a busy machine probes are late that nothing delays, and never three at once, as
 * three labs of twelve overflow the neighbour table (`lab/lib/network.ts`).
 */
export const largeLabFiles = [
  'test/lab/{group-cuts,kubernetes-conditions,loss,targets,two-faults,why}.long.test.ts',
];

/** The integration tests that take something from their process for good, such as IPv6. Each file has one of its own. */
export const ownProcessFiles = [
  'test/integration/agent/probing/{host-families,ipv6-disabled,no-ipv6}.test.ts',
  'test/integration/agent/udp-addresses.test.ts',
];

/** One for each processor, as tests that compute need it. Vitest leaves one processor free by default. */
const processors = Math.max(2, availableParallelism());

/** What is in a group runs at once, with the same number of workers. The groups run one after the other. */
const group = (groupOrder: number, maxWorkers: number) => ({
  maxWorkers,
  sequence: { groupOrder },
});

/** Labs share the neighbour tables of the machine and its network. So these bound a group with labs on any machine. */
const mostLabs = { short: 4, long: 5 };

/** The groups of `npm test`. Most tests of real programs wait, so more of them run than there are processors. */
export const groups = {
  computing: group(0, processors),
  withLabs: group(1, mostLabs.short),
  integration: group(2, processors + 4),
} as const;

/** The groups of `npm run test:long`. */
export const longGroups = {
  withLabs: group(0, mostLabs.long),
  // The agents of one keep a slow processor busy, and need another one when all of them start.
  largeLabs: group(1, processors < 4 ? 1 : 2),
  aloneLabs: group(2, 1),
} as const;

/** A project of vitest: the files that match, with the limits that all projects have. */
export function project(name: string, include: string[], more: ProjectConfig = {}) {
  const { execArgv = [], ...rest } = more;
  return {
    plugins: [bundled()],
    test: {
      name,
      include,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      // What comes at once may take seconds on a machine that has much else to do.
      expect: { poll: { timeout: 20_000 } },
      // So that what fails names a line of the source, and not of its bundle.
      execArgv: ['--enable-source-maps', ...execArgv],
      ...rest,
    },
  };
}

/**
 * How often a test of real processes and networks is run again when it fails: what else a machine does may stop them
 * for seconds. `.ci/run` sets it. The closing lines name each test that passed so.
 */
const retry = Number(process.env['TEST_RETRIES'] ?? 0);

/** Tests that keep a processor busy. They leave it to what runs beside them: labs, whose agents have to be in time. */
export const busyLimits = {
  // They make much that is done with at once: with more room for it a fifth less time goes to collecting garbage.
  execArgv: ['--max-semi-space-size=128'],
  setupFiles: [fileURLToPath(new URL('./give-way.ts', import.meta.url))],
  testTimeout: 600_000,
};

/** Tests that start the programs of dist. */
export const builtLimits = {
  retry,
  globalSetup: [fileURLToPath(new URL('./require-build.ts', import.meta.url))],
};

/** How long a test waits for what the page is to show. A browser that shares two slow processors takes its time. */
export const pageWaitMs = 60_000;

/** Without isolation the driver of the browser is loaded once and not by every file. */
export const pageLimits = {
  ...busyLimits,
  ...builtLimits,
  testTimeout: 180_000,
  expect: { poll: { timeout: pageWaitMs } },
  isolate: false,
};

export const labLimits = { ...builtLimits, testTimeout: 120_000, hookTimeout: 120_000 };
