import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
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

/** The files in `chunks` that a program loads, by what Node itself reads. */
function loadedBy(program: string, ...args: readonly string[]): string[] {
  const { stderr } = spawnSync(process.execPath, [join(dist, program), ...args], {
    encoding: 'utf8',
    env: { ...process.env, NODE_DEBUG: 'esm,module', NODE_OPTIONS: '' },
    input: '',
  });
  const names = stderr.match(/(agent|cli)\/chunks\/[\w./-]+\.m?js/g) ?? [];
  return [...new Set(names)].sort();
}

test('no other command loads anything of that bundle', () => {
  const socket = ['-H', join(dist, 'none.sock')];
  const apart = /cli\/chunks\/(apart|cli\/mcp)\//;
  for (const args of [['--help'], ['status', ...socket], ['diagnose', ...socket]]) {
    expect(loadedBy('cli/main.js', ...args).filter((name) => apart.test(name))).toEqual([]);
  }
  expect(loadedBy('cli/main.js', 'mcp', ...socket)).toContain('cli/chunks/cli/mcp/serve.mjs');
});

/** What only some agents need, or none, by words that only its code has. */
const notAtStart = {
  "undici's mocks": /MockAgent/,
  'a client of SOCKS proxies': /SocksClient/,
  "zod's messages in German": /Ung\\xFCltige/,
  'the client of Kubernetes': /loadFromClusterAndUser/,
};

test('an agent starts without what few use', () => {
  const loaded = loadedBy('agent/main.js', '--help');
  const text = loaded.map((name) => readFileSync(join(dist, name), 'utf8')).join('\n');
  expect(text).toMatch(/ZodError/);
  const found = Object.entries(notAtStart).filter(([, words]) => words.test(text));
  expect(found).toEqual([]);
});
