import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';
import { codes, pageOf, table } from './table.js';

interface ValueSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number | null)[];
  readonly const?: unknown;
  readonly anyOf?: readonly ValueSchema[];
  readonly oneOf?: readonly ValueSchema[];
  readonly items?: ValueSchema;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly description?: string;
}

interface ChartSchema extends ValueSchema {
  readonly definitions?: Readonly<Record<string, ValueSchema>>;
}

/**
 * docs/reference-chart.md: every value that the schema of the chart allows, with the default and the
 * comment of values.yaml.
 * @param root the folder of the repository
 */
export function chartPage(root: string): string {
  const chart = join(root, 'deploy/helm/meshprobe');
  const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as ChartSchema;
  const { contents } = parseDocument(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  const definitions = schema.definitions ?? {};
  return pageOf(
    '# Reference of the Helm chart',
    'This page is written from `values.schema.json` and `values.yaml` of the chart: `npm run docs` writes it anew. Any other value is refused. [kubernetes.md](kubernetes.md) tells how to install the chart.',
    table([['value', 'type', 'default', 'meaning'], ...rowsOf(schema, contents, '', definitions)]),
  );
}

function rowsOf(
  schema: ValueSchema,
  values: unknown,
  prefix: string,
  definitions: Readonly<Record<string, ValueSchema>>,
): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const inner = resolve(property, definitions);
    const path = prefix === '' ? key : `${prefix}.${key}`;
    const value = isMap(values) ? values.get(key, true) : undefined;
    const meaning =
      (isMap(values) ? commentOf(values, key) : '') ||
      (property.description ?? inner.description ?? '');
    if (path === 'settings') {
      const settings =
        '[Every setting of the agent](reference.md#settings-of-the-agent) but those that the chart itself gives.';
      return [[`\`${path}\``, 'object', '`{}`', `${meaning} ${settings}`]];
    }
    if (inner.properties) {
      const rows = rowsOf(inner, value, path, definitions);
      return meaning === '' ? rows : [[`\`${path}\``, '', '', meaning], ...rows];
    }
    const standard = isMap(values) && values.has(key) ? `\`${JSON.stringify(plain(value))}\`` : '';
    return [[`\`${path}\``, typeOf(inner, definitions), standard, meaning]];
  });
}

function resolve(
  schema: ValueSchema,
  definitions: Readonly<Record<string, ValueSchema>>,
): ValueSchema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  const found = definitions[name];
  if (!found)
    throw new Error(`expected a definition of ${name} in the schema of the chart, got none`);
  return found;
}

function typeOf(given: ValueSchema, definitions: Readonly<Record<string, ValueSchema>>): string {
  const schema = resolve(given, definitions);
  if (schema.enum) return codes(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map((one) => typeOf(one, definitions)))].join(' or ');
  const types = [schema.type ?? 'any'].flat();
  return types
    .map((type) =>
      type === 'array' && schema.items ? `list of ${typeOf(schema.items, definitions)}` : type,
    )
    .join(' or ');
}

/** The comment above a key. That of the first key belongs to the mapping. */
function commentOf(values: YAMLMap, key: string): string {
  const index = values.items.findIndex((pair) => isScalar(pair.key) && pair.key.value === key);
  const found = values.items[index]?.key;
  const own = isScalar(found) ? found.commentBefore : undefined;
  const comment = own ?? (index === 0 ? values.commentBefore : undefined) ?? '';
  // A comment that stands apart belongs to no key.
  const last = comment.split(/\n\s*\n/).at(-1) ?? '';
  return last
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
}

function plain(value: unknown): unknown {
  return isMap(value) || isScalar(value)
    ? (value.toJSON() as unknown)
    : ((value as { toJSON?: () => unknown } | undefined)?.toJSON?.() ?? null);
}
