import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';
import { folders } from '../../scripts/boundaries.js';

const root = join(import.meta.dirname, '../..');
const files = ['agent', 'api', 'cli'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(root, folder, name)),
);
const known = new Set(files);

/** The files that a file imports, types and what is loaded later too. */
function importsOf(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/(?: from |import\()'(\.[^']+)\.js'/g);
  return [...found]
    .flatMap(([, path = '']) => ['.ts', '.tsx'].map((end) => `${resolve(file, '..', path)}${end}`))
    .filter((path) => known.has(path));
}

/** The first circle of imports that a walk from a file meets. */
function circleFrom(file: string, way: readonly string[], done: Set<string>): readonly string[] {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
  if (done.has(file)) return [];
  for (const next of importsOf(file)) {
    const circle = circleFrom(next, [...way, file], done);
    if (circle.length > 0) return circle;
  }
  done.add(file);
  return [];
}

test('no files of the programs import each other in a circle, not even by types', () => {
  expect(files.length).toBeGreaterThan(400);
  const done = new Set<string>();
  const circles = files.map((file) => circleFrom(file, [], done));
  expect(circles.filter(({ length }) => length > 0)).toEqual([]);
});

test('each file of the diagnosis but the first is in a room, so that it imports downwards alone', () => {
  const rooms = folders.find(({ name }) => name === 'diagnosis')?.rooms ?? [];
  const folder = join(root, 'agent/diagnosis');
  const outside = files
    .filter((file) => file.startsWith(`${folder}${sep}`))
    .map((file) => relative(folder, file))
    .filter((file) => !rooms.some(({ name }) => file.startsWith(`${name}${sep}`)));
  expect(outside).toEqual(['diagnose.ts']);
});
