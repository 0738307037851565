// `npm run soak`: installs and builds what is missing, bundles the soak, then runs it.
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { ensureReady } from './ready.js';
import { root } from './sources.js';

const outfile = join(root, 'node_modules', '.cache', 'meshprobe-soak', 'main.mjs');

try {
  ensureReady(process.stderr);
  await build({
    absWorkingDir: root,
    entryPoints: ['test/soak/main.ts'],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // The lab finds the programs that it starts from its own folder.
    define: { 'import.meta.dirname': JSON.stringify(join(root, 'test', 'lab', 'lib')) },
    logLevel: 'warning',
  });
  /** @type {typeof import('../test/soak/main.js')} */
  const { main } = await import(outfile);
  process.exit(await main({ root, argv: process.argv.slice(2) }));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
  process.exit(1);
}
