import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.js';
import {
  builtLimits,
  busyLimits,
  groups,
  labLimits,
  longFiles,
  ownProcessFiles,
  pageLimits,
  project,
} from './test/project.js';
import { reporters } from './test/reporter/reporters.js';

// The tests of `npm test`. Those of `npm run test:long` are in test/long/vitest.config.ts.
const short = (name: string, include: string[], more: object = {}) =>
  project(name, include, { exclude: longFiles, ...more });

export default defineConfig({
  test: {
    reporters,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Tests share no state, so most modules are loaded once and not by every file.
      short('unit', ['test/unit/**/*.test.ts'], { isolate: false, ...groups.computing }),
      // Labs wait most of their time, and leave it to simulations and pages.
      short('sim', ['test/sim/**/*.test.ts'], {
        isolate: false,
        ...busyLimits,
        ...groups.withLabs,
      }),
      short('lab', ['test/lab/**/*.test.ts'], { ...labLimits, ...groups.withLabs }),
      short('page', ['test/page/**/*.test.ts'], { ...pageLimits, ...groups.withLabs }),
      // Not beside the page, as both start the mesh of `npm start`, which has fixed addresses.
      short('integration', ['test/integration/**/*.test.ts', 'test/reporter/*.test.ts'], {
        ...builtLimits,
        exclude: [...longFiles, ...ownProcessFiles],
        isolate: false,
        ...groups.integration,
      }),
      short('own process', ownProcessFiles, { ...builtLimits, ...groups.integration }),
    ],
  },
});
