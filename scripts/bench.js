// `npm run bench`: installs and builds what is missing, bundles the bench, then runs it.
import { join } from 'node:path';
import process from 'node:process';
import { ensureReady } from './ready.js';
import { root } from './sources.js';

// The folder is beside the packages, so that Node finds the packages that are not bundled. It is
// never published.
const folder = join(root, 'node_modules', '.cache', 'meshprobe-bench');

try {
  ensureReady();
  // Installed by now.
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'test/bench/main.ts',
      capture: 'test/bench/programs/capture.ts',
      'bare-server': 'test/bench/programs/bare-server.ts',
      'socket-client': 'test/bench/programs/socket-client.ts',
      'http-strategy': 'test/bench/programs/http-strategy.ts',
      'host-signs': 'test/bench/programs/host-signs.ts',
      'bare-agent': 'test/bench/programs/bare-agent.ts',
      'mesh-peers': 'test/bench/programs/mesh-peers.ts',
      diagnosis: 'test/bench/programs/diagnosis.ts',
      flood: 'test/bench/programs/flood.ts',
      'event-readers': 'test/bench/programs/event-readers.ts',
      'throughput-test': 'test/bench/programs/throughput-test.ts',
      'kubernetes-list': 'test/bench/programs/kubernetes-list.ts',
      'kubernetes-bytes': 'test/bench/programs/kubernetes-bytes.ts',
      'api-server': 'test/doubles/api-server/main.ts',
    },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['koffi'],
    banner: {
      js: "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);",
    },
    logLevel: 'warning',
  });
  /** @type {typeof import('../test/bench/main.js')} */
  const { main } = await import(join(folder, 'main.mjs'));
  process.exit(await main({ root, programs: folder, argv: process.argv.slice(2) }));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`);
  process.exit(1);
}
