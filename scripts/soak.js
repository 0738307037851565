// `npm run soak`: installs and builds what is missing, bundles the soak, then runs it.
import { join } from 'node:path';
import process from 'node:process';
import { loadScript } from './load-script.js';
import { ensureReady } from './ready.js';
import { root } from './sources.js';

try {
  ensureReady(process.stderr);
  // The lab finds the programs that it starts from its own folder.
  const labFolder = join(root, 'test', 'lab', 'lib');
  /** @type {typeof import('../test/soak/main.js')} */
  const { main } = await loadScript('test/soak/main.ts', labFolder);
  process.exit(await main({ root, argv: process.argv.slice(2) }));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
  process.exit(1);
}
