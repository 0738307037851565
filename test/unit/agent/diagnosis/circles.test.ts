import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';
import { folders } from '../../../../scripts/boundaries.js';

const folder = join(import.meta.dirname, '../../../../agent/diagnosis');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(folder, name));

/** The files that a file imports, types too. */
function importsOf(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+)\.js';/g);
  return [...found].map(([, path = '']) => `${resolve(file, '..', path)}.ts`);
}

/** The first circle of imports that a walk from a file meets. */
function circleFrom(file: string, way: readonly string[], done: Set<string>): readonly string[] {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
  if (done.has(file)) return [];
  for (const next of importsOf(file)) {
    if (!files.includes(next)) continue;
    const circle = circleFrom(next, [...way, file], done);
    if (circle.length > 0) return circle;
  }
  done.add(file);
  return [];
}

test('no files of the diagnosis import each other in a circle, not even by types', () => {
  expect(files.length).toBeGreaterThan(40);
  const done = new Set<string>();
  const circles = files.map((file) => circleFrom(file, [], done));
  expect(circles.filter(({ length }) => length > 0)).toEqual([]);
});

test('each file of the diagnosis but the first is in a room, so that it imports downwards alone', () => {
  const rooms = folders.find(({ name }) => name === 'diagnosis')?.rooms ?? [];
  const outside = files
    .map((file) => relative(folder, file))
    .filter((file) => !rooms.some(({ name }) => file.startsWith(`${name}${sep}`)));
  expect(outside).toEqual(['diagnose.ts']);
});
