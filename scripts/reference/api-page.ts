import type * as z from 'zod';
import { refusals } from '../../api/routes/openapi-responses.js';
import { daemonHealthSchema } from '../../api/schema/daemon-health.js';
import { historyQuerySchema, historySchema } from '../../api/schema/history.js';
import {
  checkupSchema,
  componentsReportSchema,
  healthAnswerSchema,
} from '../../api/schema/kubelet.js';
import { statusQuerySchema, statusSchema } from '../../api/schema/status.js';
import { checkSchema } from '../../api/schema/v1/check.js';
import { streamEventSchema } from '../../api/schema/v1/events.js';
import { findingsSchema } from '../../api/schema/v1/findings.js';
import { nodeMatrixSchema, zoneMatrixSchema } from '../../api/schema/v1/matrix.js';
import { nodeEntrySchema, nodePageSchema } from '../../api/schema/v1/nodes.js';
import {
  eventsQuerySchema,
  matrixQuerySchema,
  nodesQuerySchema,
  noQuerySchema,
  targetMatrixParameters,
} from '../../api/schema/v1/queries.js';
import { pathTestLineSchemas, pathTestRequestSchema } from '../../api/schema/v1/path-tests.js';
import { noticesSchema, noticeTestSchema } from '../../api/schema/v1/notices.js';
import { reportSchema } from '../../api/schema/v1/report.js';
import { summarySchema } from '../../api/schema/v1/summary.js';
import { targetDetailSchema, targetsSchema } from '../../api/schema/v1/targets.js';
import {
  throughputLineSchema,
  throughputRequestSchema,
  throughputTestsSchema,
} from '../../api/schema/v1/throughput.js';
import { SchemaTables } from './schema-tables.js';
import { pageOf, table } from './table.js';

interface Call {
  readonly title: string;
  readonly text: string;
  readonly query?: z.ZodType;
  readonly bodies?: Readonly<Record<string, z.ZodType>>;
}

const calls: readonly Call[] = [
  {
    title: '`GET /v1/summary`',
    text: 'What this agent knows of the cluster, in one object.',
    query: noQuerySchema,
    bodies: { body: summarySchema },
  },
  {
    title: '`GET /v1/findings`',
    text: 'What is broken, the worst first. [findings.md](findings.md) tells how findings are made.',
    query: noQuerySchema,
    bodies: { body: findingsSchema },
  },
  {
    title: '`GET /v1/matrix`',
    text: 'Who reaches whom. With `by=node` the agent asks its peers for their whole rows during the next five minutes; it sends no extra probes for that. 400: nodes are not grouped by such a label; 404: there is no such zone. The answer has the nearest name.',
    query: matrixQuerySchema,
    bodies: { 'body with `by=zone`': zoneMatrixSchema, 'body with `by=node`': nodeMatrixSchema },
  },
  {
    title: '`GET /v1/nodes`',
    text: 'The nodes, in pages.',
    query: nodesQuerySchema,
    bodies: { body: nodePageSchema },
  },
  {
    title: '`GET /v1/nodes/{name}`',
    text: 'One node. `{name}` is CLUSTER/NAME, with the slash as it is or as `%2F`, or NAME in the cluster of the agent. 404: there is no such node.',
    query: noQuerySchema,
    bodies: { body: nodeEntrySchema },
  },
  {
    title: '`GET /v1/matrix?target=NAME`',
    text: 'Who reaches one target, from each plane. The bodies are those of `GET /v1/matrix`: their rows are the zones of the observers, or the observers, and their columns the planes from which the target is probed. `plane` and `protocol` do not go with it. 404: there is no such target or zone.',
    query: targetMatrixParameters,
  },
  {
    title: '`GET /v1/targets`',
    text: 'What the cluster lives on beside its nodes, and who reaches it.',
    query: noQuerySchema,
    bodies: { body: targetsSchema },
  },
  {
    title: '`GET /v1/targets/{name}`',
    text: 'One target. 404: there is no such target; the answer has the nearest name.',
    query: noQuerySchema,
    bodies: { body: targetDetailSchema },
  },
  {
    title: '`GET /v1/notices`',
    text: 'Who is told of findings, and what was told. [notices.md](notices.md) tells what is sent.',
    query: noQuerySchema,
    bodies: { body: noticesSchema },
  },
  {
    title: '`POST /v1/notices/test`',
    text: 'Sends a test to each receiver, and answers when all have answered or had ten seconds. On the unix socket alone. 404: the agent has no receiver; 429: a test is under way.',
    bodies: { body: noticeTestSchema },
  },
  {
    title: '`GET /v1/events`',
    text: 'Changes, as they come: `text/event-stream`, or with `Accept: application/x-ndjson` one JSON object a line. While nothing changes, a `text/event-stream` has a comment every two seconds; lines have an empty one with `keepAlive=true`. The header `Last-Event-ID` resumes after an event, as `after` does. 503: too many readers.',
    query: eventsQuerySchema,
    bodies: { 'content of `data`, or of a line': streamEventSchema },
  },
  {
    title: '`GET /v1/report`',
    text: 'All that the agent knows, as `meshprobe report` writes it. On the unix socket alone, two at once. It takes some 6 KB a node while all is well, some 30 KB more an observer in the worst outage, and at most some 300 MB.',
    bodies: { body: reportSchema },
  },
  {
    title: '`POST /v1/trace`, `POST /v1/mtu`, `POST /v1/flows`',
    text: 'Tests one path to a listed node, now, and sends what it finds as it comes: one JSON object a line (`application/x-ndjson`). On the unix socket alone. 404: there is no such node; 429: four tests are under way. A test ends when the client closes the connection. [paths.md](paths.md) tells how each is made.',
    bodies: {
      'body of the request': pathTestRequestSchema,
      'lines of `/v1/trace`': pathTestLineSchemas.trace,
      'lines of `/v1/mtu`': pathTestLineSchemas.mtu,
      'lines of `/v1/flows`': pathTestLineSchemas.flows,
    },
  },
  {
    title: '`POST /v1/throughput`',
    text: 'Measures what gets through to a listed node and back, now, and sends what it finds as it comes: one JSON object a line (`application/x-ndjson`). On the unix socket alone. 403: there is no mesh key; 404: there is no such node; 409: a throughput test is under way in this agent. A test ends when the client closes the connection. [paths.md](paths.md#how-much-gets-through) tells how it is made.',
    bodies: { 'body of the request': throughputRequestSchema, lines: throughputLineSchema },
  },
  {
    title: '`GET /v1/throughput`',
    text: 'The last ten of these tests, since the agent started.',
    query: noQuerySchema,
    bodies: { body: throughputTestsSchema },
  },
  {
    title: '`kubectl meshprobe check -o json`',
    text: 'No call of an agent: what [the check of a cluster](kubernetes.md#kubectl-meshprobe-check) prints.',
    bodies: { body: checkSchema },
  },
  {
    title: '`GET /v1beta/status`, `PUT /v1beta/status/probe`',
    text: 'What the agent knows of every path. The `PUT` probes every path first, and is on the unix socket alone.',
    query: statusQuerySchema,
    bodies: { body: statusSchema },
  },
  {
    title: '`GET /v1beta/history`',
    text: 'The last probes of every path of one node, the oldest first. 404: there is no such node.',
    query: historyQuerySchema,
    bodies: { body: historySchema },
  },
  {
    title: '`GET /v1beta/healthz`',
    text: 'The agent itself: uptime, load, problems, plan. On the unix socket alone.',
    bodies: { body: daemonHealthSchema },
  },
  {
    title: '`GET /metrics`',
    text: 'For Prometheus: over TCP, and alone on `--metrics-listen`. [reference.md](reference.md#metrics) lists the families.',
  },
  {
    title: '`GET /openapi.json`',
    text: 'What `--api-listen` serves, as an OpenAPI document.',
  },
  {
    title: '`GET /liveness`, `GET /readiness` (health port)',
    text: '200 where the answer is yes, 503 where it is no.',
    bodies: { body: healthAnswerSchema },
  },
  {
    title: '`GET /status` (health port)',
    text: 'Every component of the agent.',
    bodies: { body: componentsReportSchema },
  },
  {
    title: '`GET /healthz` (health port)',
    text: 'Every check, run now.',
    bodies: { body: checkupSchema },
  },
];

/** docs/reference-api.md: every call, its parameters and its body. */
export function apiPage(): string {
  const tables = new SchemaTables();
  for (const { title, bodies = {} } of calls) {
    for (const schema of Object.values(bodies)) tables.placeBody(schema, title);
  }
  const sections = calls.flatMap(({ title, text, query, bodies = {} }) => [
    `### ${title}`,
    text,
    ...(query ? [tables.parametersOf(query)] : []),
    ...Object.entries(bodies).flatMap(([name, schema]) => [
      `The ${name}:`,
      tables.fieldsOf(schema),
    ]),
  ]);
  return pageOf(
    '# Reference of the API',
    'This page is written from the schemas: `npm run docs` writes it anew. [reference.md](reference.md) has settings, files, exit codes, problem codes and metrics.',
    'The unix socket serves all of `/v1` and `/v1beta`, `--api-listen` what is not said to be on the unix socket alone, and `/openapi.json` describes the latter. Every field that is not marked as optional is always there. Readers must ignore fields that they do not know. Every other answer than 200 and 304 has one sentence as its body, a JSON string: what was expected, and what was got.',
    'The status of `/v1beta` and the files of the page have an ETag, and are 304 where it is in `If-None-Match`. Bodies of `/v1` have none: nearly all of them have the time at which they were made, ages of rows or round trips, so hardly two are alike, and a reader of a 304 would keep ages that are no longer true. Who wants to know of changes alone reads `/v1/events`.',
    refusalTable(),
    '## Calls',
    ...sections,
    '## Objects',
    ...tables.objectSections(),
  );
}

function refusalTable(): string {
  const rows = Object.entries(refusals).map(([status, { description }]) => [status, description]);
  return table([['status', 'meaning'], ...rows]);
}
