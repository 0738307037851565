import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from '../reporter/closing-line.js';

// Not among the projects of `npm test`: it talks to whatever cluster the user works with.
export default defineConfig({
  test: {
    name: 'cluster',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 60_000,
    reporters: ['default', new ClosingLineReporter()],
  },
});
