import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import {
  aloneLabFiles,
  aloneLabLimits,
  builtLimits,
  labLimits,
  pageLimits,
  project,
} from '../project.js';
import { reporters } from '../reporter/reporters.js';
import { LongestFirst } from './longest-first.js';

// The tests of `npm run test:long`: what takes minutes and is not in `npm test`.
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    reporters,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Fuzz tests of single modules, with ten times their usual number of rounds.
      project('fuzz', ['test/unit/**/*.fuzz.test.ts'], {
        isolate: false,
        testTimeout: 120_000,
        env: { FUZZ_FACTOR: '10' },
      }),
      project('sim', ['test/sim/**/*.long.test.ts'], { testTimeout: 600_000 }),
      project('integration', ['test/integration/**/*.{long,fuzz}.test.ts'], builtLimits),
      project('page', ['test/page/**/*.long.test.ts'], pageLimits),
      // Mostly they wait: for a finding, for a rate, for what must not come.
      project('lab', ['test/lab/**/*.long.test.ts'], {
        ...labLimits,
        exclude: aloneLabFiles,
        maxWorkers: 4,
      }),
      project('lab alone', aloneLabFiles, aloneLabLimits),
    ],
  },
});
