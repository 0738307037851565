import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from '../longest-first.js';
import {
  aloneLabFiles,
  builtLimits,
  busyLimits,
  labLimits,
  largeLabFiles,
  longGroups,
  pageLimits,
  project,
} from '../project.js';
import { reporters } from '../reporter/reporters.js';

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
        env: { FUZZ_FACTOR: '10' },
        ...busyLimits,
        ...longGroups.withLabs,
      }),
      // Simulations and pages compute while labs wait: for a finding, for a rate, for what must not come.
      project('sim', ['test/sim/**/*.long.test.ts'], { ...busyLimits, ...longGroups.withLabs }),
      project('page', ['test/page/**/*.long.test.ts'], { ...pageLimits, ...longGroups.withLabs }),
      project('integration', ['test/integration/**/*.{long,fuzz}.test.ts'], {
        ...builtLimits,
        ...longGroups.withLabs,
      }),
      project('lab', ['test/lab/**/*.long.test.ts'], {
        ...labLimits,
        exclude: [...largeLabFiles, ...aloneLabFiles],
        ...longGroups.withLabs,
      }),
      project('large lab', largeLabFiles, { ...labLimits, ...longGroups.largeLabs }),
      project('lab alone', aloneLabFiles, { ...labLimits, ...longGroups.aloneLabs }),
    ],
  },
});
