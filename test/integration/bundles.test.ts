import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const program = join(dist, 'cli/main.js');
/** What no other code has than that of the SDK, in its bundle too. */
const ofSdk = /notifications\/initialized/;

function bundles(): string[] {
  return readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.m?js$/.test(name),
  );
}

test('the SDK of the Model Context Protocol is in a bundle of its own', () => {
  const withSdk = bundles().filter((name) => ofSdk.test(readFileSync(join(dist, name), 'utf8')));
  expect(withSdk).toEqual(['cli/chunks/cli/mcp/serve.mjs']);
});

/** The files of the CLI that a command loads, by what Node itself reads. */
function loadedBy(...args: readonly string[]): string[] {
  const { stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_DEBUG: 'esm,module', NODE_OPTIONS: '' },
    input: '',
  });
  const names = stderr.match(/cli\/chunks\/[\w./-]+\.mjs/g) ?? [];
  return [...new Set(names)].sort();
}

test('no other command loads anything of that bundle', () => {
  const socket = ['-H', join(dist, 'none.sock')];
  const apart = /cli\/chunks\/(apart|cli\/mcp)\//;
  for (const args of [['--help'], ['status', ...socket], ['diagnose', ...socket]]) {
    expect(loadedBy(...args).filter((name) => apart.test(name))).toEqual([]);
  }
  expect(loadedBy('mcp', ...socket)).toContain('cli/chunks/cli/mcp/serve.mjs');
});
