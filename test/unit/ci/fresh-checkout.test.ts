import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const scripts = join(import.meta.dirname, '../../../scripts');
const read = (name: string): string => readFileSync(join(scripts, name), 'utf8');

/** What a script imports before its first line runs, by itself or by others of these scripts. */
function importsOf(name: string, seen = new Set<string>()): string[] {
  if (seen.has(name)) return [];
  seen.add(name);
  const direct = [...read(name).matchAll(/^import .* from '([^']+)';$/gm)].map(
    ([, from = '']) => from,
  );
  return direct.flatMap((from) =>
    from.startsWith('./') ? importsOf(from.slice(2), seen) : [from],
  );
}

const installing = readdirSync(scripts).filter(
  (name) => name.endsWith('.js') && name !== 'ready.js' && read(name).includes('ensureReady('),
);

test('there are scripts that install what is missing', () => {
  expect(installing).toEqual(expect.arrayContaining(['test.js', 'start.js', 'sim.js', 'bench.js']));
});

test.each(installing)('%s imports no package before it has installed them', (name) => {
  expect(importsOf(name).filter((from) => !from.startsWith('node:'))).toEqual([]);
});
