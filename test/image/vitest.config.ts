import { defineConfig } from 'vitest/config';
import { reporters } from '../reporter/reporters.js';

// `npm test` does not include this project, because it builds an image for minutes and downloads
// its parts.
export default defineConfig({
  test: {
    name: 'image',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 1_200_000,
    reporters,
  },
});
