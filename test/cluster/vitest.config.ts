import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { reporters } from '../reporter/reporters.js';

/** By name: the trials build on each other's cluster, and the first one installs. */
class ByName extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.sort((a, b) => a.moduleId.localeCompare(b.moduleId)));
  }
}

// `npm run test:cluster` starts these: they need a cluster and run beside its API server. They are no part of `npm test`.
export default defineConfig({
  test: {
    name: 'cluster',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 900_000,
    hookTimeout: 900_000,
    fileParallelism: false,
    sequence: { sequencer: ByName },
    reporters,
  },
});
