import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './test/reporter/closing-line.js';

const project = (name: string, include: string[], more: object = {}) => ({
  test: { name, include, testTimeout: 30_000, hookTimeout: 30_000, ...more },
});

export default defineConfig({
  test: {
    reporters: ['default', new ClosingLineReporter()],
    projects: [
      // The tests share no state, so their modules are loaded once and not by every file.
      project('unit', ['test/unit/**/*.test.ts'], { isolate: false }),
      // The fuzz tests once more, with many more rounds.
      project('fuzz', ['test/unit/**/*.fuzz.test.ts'], {
        isolate: false,
        testTimeout: 120_000,
        env: { FUZZ_FACTOR: '10' },
      }),
      project('sim', ['test/sim/**/*.test.ts'], { testTimeout: 120_000 }),
      project('integration', ['test/integration/**/*.test.ts', 'test/reporter/*.test.ts']),
      // One browser at a time. Without isolation its driver is loaded once and not by every file.
      project('page', ['test/page/**/*.test.ts'], {
        testTimeout: 60_000,
        maxWorkers: 1,
        isolate: false,
        exclude: process.env['PAGE_PICTURES'] === 'write' ? [] : ['test/page/pictures.test.ts'],
      }),
      // The lab has the machine to itself, one file after the other.
      project('lab', ['test/lab/**/*.test.ts'], {
        testTimeout: 120_000,
        hookTimeout: 120_000,
        maxWorkers: 1,
        sequence: { groupOrder: 1 },
      }),
    ],
  },
});
