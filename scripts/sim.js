// `npm run sim`: bundles the simulations and runs one of them in full.
import process from 'node:process';
import { loadScript } from './load-script.js';
import { ensureReady } from './ready.js';

try {
  ensureReady();
  /** @type {typeof import('../test/sim/main.js')} */
  const { main } = await loadScript('test/sim/main.ts');
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
