// `npm run test:cluster`: the tests of test/cluster, on a real Kubernetes that it starts and ends.
import { join } from 'node:path';
import process from 'node:process';
import { loadScript } from './load-script.js';
import { ensureReady } from './ready.js';
import { root } from './sources.js';

try {
  ensureReady();
  // What is bundled finds the repository from this folder.
  /** @type {typeof import('../test/cluster/lib/run-tests.js')} */
  const { runTests } = await loadScript('test/cluster/lib/run-tests.ts', join(root, 'scripts'));
  process.exit(await runTests(process.argv.slice(2)));
} catch (error) {
  // The test reporter did not start, so the counts are printed here.
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
  process.stdout.write('0 passed, 1 failed, 0 skipped\n');
  process.exit(1);
}
