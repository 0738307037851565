// Prints what listing a large Kubernetes cluster costs an agent: `node scripts/bench-kubernetes.js`.
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './sources.js';

// Beside the packages, so that those left out of the bundle are found.
const folder = join(root, 'node_modules', '.cache', 'meshprobe-bench-kubernetes');
await build({
  absWorkingDir: root,
  entryPoints: {
    bench: 'test/bench/kubernetes-list.ts',
    'api-server': 'test/doubles/api-server/main.ts',
  },
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
});
/** @type {typeof import('../test/bench/kubernetes-list.js')} */
const { measureKubernetesList } = await import(pathToFileURL(join(folder, 'bench.mjs')).href);
const figures = await measureKubernetesList(join(folder, 'api-server.mjs'));
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
process.exit(figures.longestBlockMs <= 40 && figures.heapKeptBytes <= 15e6 ? 0 : 1);
