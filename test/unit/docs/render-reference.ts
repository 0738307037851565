import * as z from 'zod';
import { settingEntries } from '../../../agent/config/settings.js';
import { variableOf } from '../../../agent/config/read-values.js';
import {
  checkupSchema,
  componentsReportSchema,
  healthAnswerSchema,
} from '../../../api/schema/kubelet.js';
import { daemonHealthSchema, problemSchema } from '../../../api/schema/daemon-health.js';
import {
  historyPathSchema,
  historySchema,
  sampleSchema,
  seriesSchema,
} from '../../../api/schema/history.js';
import {
  lifecycleSchema,
  nodeStatusSchema,
  pathStatusSchema,
  planeStatusSchema,
  planSchema,
  protocolPlanSchema,
  protocolStatusSchema,
  statusSchema,
} from '../../../api/schema/status.js';
import { reportSchema } from '../../../api/schema/v1/report.js';
import { observersSchema } from '../../../api/schema/v1/fields.js';

interface Body {
  readonly title: string;
  readonly text: string;
  readonly schema: z.ZodType;
}

const bodies: readonly Body[] = [
  {
    title: '`GET /v1beta/status`, `PUT /v1beta/status/probe`',
    text: 'What the agent knows of every path. The `PUT` probes every path first. With `?brief=true` a path has only what `meshprobe status` prints.',
    schema: statusSchema,
  },
  {
    title: '`GET /v1beta/history?node=NAME`',
    text: 'The last probes of every path of one node, the oldest first.',
    schema: historySchema,
  },
  {
    title: '`GET /v1beta/healthz`',
    text: 'The agent itself: uptime, load, problems, plan. On the unix socket alone.',
    schema: daemonHealthSchema,
  },
  {
    title: '`GET /v1/report`',
    text: 'All that the agent knows, as `meshprobe report` writes it. On the unix socket alone, two at once. It takes some 6 KB a node while all is well, some 30 KB more an observer in the worst outage, and at most some 300 MB.',
    schema: reportSchema,
  },
  {
    title: '`GET /liveness`, `GET /readiness` (health port)',
    text: '200 where the answer is yes, 503 where it is no.',
    schema: healthAnswerSchema,
  },
  {
    title: '`GET /status` (health port)',
    text: 'Every component of the agent.',
    schema: componentsReportSchema,
  },
  {
    title: '`GET /healthz` (health port)',
    text: 'Every check, run now.',
    schema: checkupSchema,
  },
];

/** Objects that occur in several bodies. Each has a table of its own. */
const objects: Readonly<Record<string, z.ZodType>> = {
  NodeStatus: nodeStatusSchema,
  Lifecycle: lifecycleSchema,
  PlaneStatus: planeStatusSchema,
  PathStatus: pathStatusSchema,
  ProtocolStatus: protocolStatusSchema,
  Plan: planSchema,
  ProtocolPlan: protocolPlanSchema,
  HistoryPath: historyPathSchema,
  HistorySeries: seriesSchema,
  HistorySample: sampleSchema,
  Problem: problemSchema,
  Observers: observersSchema,
};
/** Bodies that are a part of another one. Their tables, or the OpenAPI document, are elsewhere. */
const wholeBodies: ReadonlySet<string> = new Set(['DaemonHealth', 'Status', 'Summary', 'Findings']);

/** Writes docs/reference.md from the settings and the schemas. */
export function renderReference(): string {
  return [
    '# Reference',
    'This page is written from the code: `npx vitest run --project unit test/unit/docs -u` writes it anew.',
    '## Settings of the agent',
    'Flags win over variables, variables over the `--config` file, the file over the defaults. A repeatable flag is a list in the file, and a list separated by commas in its variable.',
    settingsTable(),
    '## Bodies',
    'Every field that is not marked as optional is always there. Readers must ignore fields that they do not know.',
    ...bodies.flatMap(({ title, text, schema }) => [`### ${title}`, text, fieldsTable(schema)]),
    '## Objects',
    ...Object.entries(objects).flatMap(([name, schema]) => [`### ${name}`, fieldsTable(schema)]),
  ]
    .join('\n\n')
    .concat('\n');
}

function settingsTable(): string {
  const rows = settingEntries.map(([name, { value, help, default: standard, repeatable }]) => [
    `\`--${name} ${value}\`${repeatable === true ? ' (repeatable)' : ''}`,
    `\`${variableOf(name)}\``,
    standard === undefined ? '' : `\`${standard}\``,
    help,
  ]);
  return table([['flag', 'variable', 'default', 'meaning'], ...rows]);
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

function fieldsTable(schema: z.ZodType): string {
  return table([['field', 'type', 'meaning'], ...fieldsOf(jsonSchemaOf(schema), '')]);
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, { io: 'output' });
  // A schema with a name is in the definitions.
  const name = objectNameOf(json);
  return name === undefined ? json : (json.$defs?.[name] as JsonSchema);
}

/** The name of an object that has a table of its own. */
function objectNameOf({ $ref }: JsonSchema): string | undefined {
  return $ref?.split('/').at(-1);
}

/** One row for each field. The fields of its object or list follow below it. */
function fieldsOf(schema: JsonSchema, prefix: string): string[][] {
  const required = new Set(schema.required ?? []);
  const named = Object.entries(schema.properties ?? {}).map(
    ([name, field]): [string, JsonSchema, boolean] => [
      name,
      field as JsonSchema,
      required.has(name),
    ],
  );
  const mapped = schema.additionalProperties;
  const anyName: [string, JsonSchema, boolean][] =
    typeof mapped === 'object' && Object.keys(mapped).length > 0 ? [['NAME', mapped, true]] : [];
  return [...named, ...anyName].flatMap(([name, field, isRequired]) => {
    const inner = withoutNull(field);
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const row = [
      `\`${path}\``,
      `${typeOf(inner)}${isRequired ? '' : ', optional'}`,
      field.description ?? '',
    ];
    const { element, suffix } = elementOf(inner);
    return objectNameOf(element) === undefined ? [row, ...fieldsOf(element, path + suffix)] : [row];
  });
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const [only, ...more] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  return only && more.length === 0 ? only : schema;
}

function elementOf(schema: JsonSchema): { element: JsonSchema; suffix: string } {
  if (schema.type !== 'array') return { element: schema, suffix: '' };
  return { element: schema.items as JsonSchema, suffix: '[]' };
}

function typeOf(schema: JsonSchema): string {
  const name = objectNameOf(schema);
  if (name !== undefined && wholeBodies.has(name)) return `\`${name}\``;
  if (name !== undefined && !(name in objects)) throw new Error(`no table for ${name}`);
  if (name !== undefined) return `[${name}](#${name.toLowerCase()})`;
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items as JsonSchema)}`;
  const types = [schema.type ?? 'any'].flat().filter((type) => type !== 'null');
  return types.join(' or ');
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
