import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isLetIn, readDockerfile } from './lib/dockerfile.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const stages = readDockerfile(read('deploy/Dockerfile'));
const runtime = stages.at(-1);

describe('the Dockerfile', () => {
  test('builds in stages on one slim base, and its last stage runs as no root', () => {
    expect(new Set(stages.map(({ base }) => base))).toEqual(new Set(['node:24-slim']));
    expect(stages.map(({ name }) => name)).toEqual(['build', 'modules', 'runtime']);
    expect(runtime?.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  test('copies only what is there and what .dockerignore lets in', () => {
    const copies = stages.flatMap(({ steps }) => steps.filter((step) => step.kind === 'copy'));
    const sources = copies.filter(({ from }) => from === undefined).flatMap((copy) => copy.sources);
    expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(sources.filter((path) => !isLetIn(path, read('.dockerignore')))).toEqual([]);
    expect(isLetIn('.git/config', read('.dockerignore'))).toBe(false);
    expect(isLetIn('node_modules/koffi', read('.dockerignore'))).toBe(false);
  });

  test('runs no install scripts and fetches from nowhere but the npm registry', () => {
    const commands = stages.flatMap(({ steps }) =>
      steps.flatMap((step) => (step.kind === 'run' ? step.command : [])),
    );
    const installs = commands.filter((command) => command.includes('npm '));
    expect(installs).toHaveLength(2);
    for (const command of installs) expect(command).toContain('--ignore-scripts');
    expect(commands.join('\n')).not.toMatch(/apt|apk|curl|wget|git |https?:/);
    expect(read('package-lock.json')).not.toMatch(
      /"resolved": "(?!https:\/\/registry\.npmjs\.org\/)/,
    );
  });
});
