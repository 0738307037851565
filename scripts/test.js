// `npm test`: installs and builds what is missing, then runs vitest with the given arguments.
import process from 'node:process';
import { ensureReady } from './ready.js';

try {
  ensureReady();
  const { parseCLI, startVitest } = await import('vitest/node');
  const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)]);
  const vitest = await startVitest('test', filter, options);
  await vitest.exit();
} catch (error) {
  // The test reporter did not start, so the counts are printed here.
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.stdout.write('0 passed, 1 failed, 0 skipped\n');
  process.exitCode = 1;
}
