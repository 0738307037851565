import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import vitestConfig from '../../vitest.config.js';
import longConfig from '../long/vitest.config.js';
import requireBuild from '../require-build.js';

test('says at once that nothing was built, and how to build', () => {
  expect(() => requireBuild('/proc/none/sources.sha256')).toThrow(
    'expected a build in dist, got none: `npm run build` makes it',
  );
  expect(() => requireBuild(fileURLToPath(import.meta.url))).not.toThrow();
});

interface Named {
  readonly test?: { readonly name?: unknown; readonly globalSetup?: unknown };
}

test.each([
  ['npm test', vitestConfig],
  ['npm run test:long', longConfig],
])('is asked before every project of %s that starts programs', (_, { test: settings }) => {
  const projects = (settings?.projects ?? []) as readonly Named[];
  const asked = projects.filter(({ test: of }) => of?.globalSetup !== undefined);
  const names = asked.map(({ test: of }) => of?.name);
  expect(names).toEqual(expect.arrayContaining(['integration', 'page', 'lab']));
});
