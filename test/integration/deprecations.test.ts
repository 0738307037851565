import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
/** These begin to work when they are imported. */
const programs = /(^|\/)(main|kubectl-meshprobe|nodes-file-worker)\.js$/;

// Node is silent about packages in node_modules, and what is bundled is not there: the agent's log would begin with it.
test('nothing that the programs load is deprecated, in this Node or in one to come', () => {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?js$/.test(name) && !name.startsWith('page/') && !programs.test(name))
    .map((name) => pathToFileURL(join(dist, name)).href);
  expect(files.length).toBeGreaterThan(20);
  const load = `for (const file of ${JSON.stringify(files)}) await import(file);`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--pending-deprecation', '--throw-deprecation', '--input-type=module', '--eval', load],
    { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
  );
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
