import { defineConfig } from 'vitest/config';
import { builtLimits, labLimits, longFiles, pageLimits, project } from './test/project.js';
import { reporters } from './test/reporter/reporters.js';

// The tests of `npm test`. Those of `npm run test:long` are in test/long/vitest.config.ts.
const short = (name: string, include: string[], more: object = {}) =>
  project(name, include, { exclude: longFiles, ...more });

export default defineConfig({
  test: {
    reporters,
    projects: [
      // The tests share no state, so their modules are loaded once and not by every file.
      short('unit', ['test/unit/**/*.test.ts'], { isolate: false }),
      short('sim', ['test/sim/**/*.test.ts'], { testTimeout: 120_000 }),
      short(
        'integration',
        ['test/integration/**/*.test.ts', 'test/reporter/*.test.ts'],
        builtLimits,
      ),
      short('page', ['test/page/**/*.test.ts'], pageLimits),
      short('lab', ['test/lab/**/*.test.ts'], labLimits),
    ],
  },
});
