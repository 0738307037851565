// `npm run sim`: bundles the simulations and runs one of them in full.
import { join } from 'node:path';
import process from 'node:process';
import { ensureReady } from './ready.js';
import { root } from './sources.js';

const outfile = join(root, 'node_modules', '.cache', 'meshprobe-sim', 'main.mjs');

try {
  ensureReady();
  // Installed by now.
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: ['test/sim/main.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  /** @type {typeof import('../test/sim/main.js')} */
  const { main } = await import(outfile);
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (isBadOption(error)) {
    process.stderr.write(`sim: ${error.message}\n`);
    process.exitCode = 2;
  } else {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
    process.exitCode = 1;
  }
}

/**
 * @param {unknown} error
 * @returns {error is Error}
 */
function isBadOption(error) {
  if (error instanceof RangeError) return true;
  return error instanceof Error && 'code' in error && `${error.code}`.startsWith('ERR_PARSE_ARGS');
}
