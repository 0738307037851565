import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from '../reporter/closing-line.js';

// Not among the projects of `npm test`: it builds an image for minutes, and fetches what goes into it.
export default defineConfig({
  test: {
    name: 'image',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 1_200_000,
    reporters: ['default', new ClosingLineReporter()],
  },
});
