import { existsSync } from 'node:fs';
import { stampFile } from '../scripts/sources.js';

/**
 * Vitest runs this before the tests that start programs of dist. Without it, each of them would wait
 * until its time is over for a program that is not there.
 * @param stamp the file that a build writes last
 * @throws Error if nothing was built
 */
export default function requireBuild(stamp: unknown): void {
  const path = typeof stamp === 'string' ? stamp : stampFile;
  if (existsSync(path)) return;
  throw new Error(
    'expected a build in dist, got none: `npm run build` makes it, and `npm test` does so itself',
  );
}
