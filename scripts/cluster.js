// `npm run cluster`: a real Kubernetes on this machine, with meshprobe on it. `npm run cluster -- --help` says more.
import { join } from 'node:path';
import process from 'node:process';
import { loadScript } from './load-script.js';
import { ensureReady } from './ready.js';
import { root } from './sources.js';

try {
  ensureReady(process.stderr);
  // What is bundled finds the repository from this folder.
  /** @type {typeof import('../test/cluster/lib/main.js')} */
  const { main } = await loadScript('test/cluster/lib/main.ts', join(root, 'scripts'));
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
  process.exit(1);
}
