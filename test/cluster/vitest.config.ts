import { defineConfig } from 'vitest/config';
import { reporters } from '../reporter/reporters.js';

// `npm test` does not include this project, because it talks to the cluster that the user works
// with.
export default defineConfig({
  test: {
    name: 'cluster',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 60_000,
    reporters,
  },
});
