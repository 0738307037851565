import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OpenAPIHono } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { settings } from '../../../agent/config/settings.js';
import { fromEnvironment } from '../../../agent/config/sources.js';
import { registerV1Paths } from '../../../api/routes/v1/openapi.js';
import { registerV1betaPaths } from '../../../api/routes/v1beta/openapi.js';
import { anchorOf } from '../../../scripts/reference/table.js';
import { diagnosisConstants } from '../../../scripts/reference/constants-page.js';
import { referencePages } from '../../../scripts/reference/pages.js';

const root = join(import.meta.dirname, '../../..');
const pages = referencePages(root);
const all = Object.values(pages).join('\n');

test.each(Object.entries(pages))('%s says what the code says (npm run docs)', (path, text) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(text);
});

test('every figure of the diagnosis says what it means', () => {
  const all = diagnosisConstants(root);
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter(({ meaning }) => meaning === '')).toEqual([]);
});

/** The names of all variables that our programs read. */
function variablesRead(): string[] {
  const sources = ['agent', 'api', 'cli'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  );
  const read = sources.flatMap((text) => [
    ...[...text.matchAll(/\b(?:env|environment)(?:\[['"]|\.)(\w+)/g)].map(([, name = '']) => name),
    ...(text.match(/\bMESHPROBE_[A-Z_]*[A-Z]\b/g) ?? []),
  ]);
  return [...new Set(read)].filter((name) => /^[A-Z]/.test(name));
}

test('every variable that the programs read is on the page', () => {
  const variables = variablesRead();
  expect(variables).toContain('MESHPROBE_SOCK');
  expect(variables).toContain('KUBECONFIG');
  expect(variables.filter((name) => !all.includes(name))).toEqual([]);
});

test('no variable that another program reads keeps the agent from starting', () => {
  const given = Object.fromEntries(variablesRead().map((name) => [name, 'x']));
  expect(given).toHaveProperty('MESHPROBE_TOKEN_FILE');
  expect(given).toHaveProperty('MESHPROBE_AGENT_SOURCE');
  // A name that is no setting is kept, to be refused as unknown.
  const names = [...fromEnvironment(given).keys()];
  expect(names).toContain('node-name');
  expect(names.filter((name) => !(name in settings))).toEqual([]);
});

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: { readonly anyOf?: readonly { readonly properties?: object }[] };
}

/** The properties of an object in a query are parameters of their own. */
function namesOf({ name, schema }: Parameter): string[] {
  const properties = (schema?.anyOf ?? []).flatMap((form) => Object.keys(form.properties ?? {}));
  return properties.length > 0 ? [...new Set(properties)] : [name];
}

test('every path, parameter and status of the OpenAPI document is on the page', () => {
  const app = new OpenAPIHono();
  registerV1Paths(app.openAPIRegistry);
  registerV1betaPaths(app.openAPIRegistry);
  const { paths = {} } = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'test', version: '0' },
  });
  const page = pages['docs/reference-api.md'] ?? '';
  const wanted = Object.entries(paths).flatMap(([path, { get } = {}]) => {
    const parameters = (get?.parameters ?? []) as Parameter[];
    const inQuery = parameters.filter((one) => one.in === 'query');
    return [`\`GET ${path}\``, ...inQuery.flatMap(namesOf).map((name) => `\n| \`${name}\` | `)];
  });
  expect(wanted.length).toBeGreaterThan(20);
  expect(wanted.filter((text) => !page.includes(text))).toEqual([]);
});

test('every link within the pages leads to a heading or a file', () => {
  for (const [path, text] of Object.entries(pages)) {
    const anchors = headingsOf(text);
    for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
      const [file = '', anchor = ''] = target.split('#');
      const there =
        file === '' ? anchors : headingsOf(readFileSync(join(root, 'docs', file), 'utf8'));
      if (anchor !== '') expect(there, `${path}: ${target}`).toContain(anchor);
    }
  }
});

function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title));
}
