// `npm run manifests`: writes the files of deploy/ that repeat others, or the agent's settings.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { format } from 'prettier';
import { manifestCopies } from './manifest-copies.js';
import { root } from './sources.js';

const outfile = join(root, 'node_modules', '.cache', 'meshprobe-settings', 'main.mjs');
await build({
  absWorkingDir: root,
  entryPoints: ['agent/config/settings-for-helm.ts'],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
});
/** @type {typeof import('../agent/config/settings-for-helm.js')} */
const { settingsForHelm } = await import(outfile);

for (const [path, contents] of Object.entries(manifestCopies(settingsForHelm()))) {
  const formatted = path.endsWith('.schema.json')
    ? await format(contents, { parser: 'json', printWidth: 100 })
    : contents;
  writeFileSync(join(root, path), formatted);
}
