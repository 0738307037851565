import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import { errorSchema } from '../../schema/daemon-health.js';
import { streamEventSchema } from '../../schema/v1/events.js';
import { findingsSchema } from '../../schema/v1/findings.js';
import { nodeMatrixSchema, zoneMatrixSchema } from '../../schema/v1/matrix.js';
import { nodeEntrySchema, nodePageSchema } from '../../schema/v1/nodes.js';
import { noticesSchema } from '../../schema/v1/notices.js';
import { eventsQuerySchema, matrixQueryForms, nodesQuerySchema } from '../../schema/v1/queries.js';
import { maxNameLength } from '../../schema/v1/name-length.js';
import { summarySchema } from '../../schema/v1/summary.js';
import { targetDetailSchema, targetsSchema } from '../../schema/v1/targets.js';
import { throughputTestsSchema } from '../../schema/v1/throughput.js';
import { jsonResponse, jsonSchemaOf, refusals } from '../openapi-responses.js';

const serverSentEventSchema = z
  .looseObject({
    id: z
      .string()
      .optional()
      .describe('Given as Last-Event-ID, it asks for the events after this one'),
    event: z.string().describe('The type of the event'),
    data: z.string().describe('A StreamEvent as JSON'),
  })
  .meta({ id: 'ServerSentEvent', description: 'One event of a text/event-stream' });

/** The parameters of a query as one object, so that it can say which of them go together. */
const matrixParameters = {
  name: 'query',
  in: 'query' as const,
  style: 'form' as const,
  explode: true,
  description: 'Each property is a parameter of its own: ?by=node&zone=a',
  schema: jsonSchemaOf(matrixQueryForms),
};

const routes = [
  createRoute({
    method: 'get',
    path: '/v1/summary',
    operationId: 'getSummary',
    summary: 'The cluster in one object',
    responses: {
      200: jsonResponse(summarySchema, 'What this agent knows of the cluster'),
      ...refusals,
    },
  }),
  createRoute({
    method: 'get',
    path: '/v1/findings',
    operationId: 'listFindings',
    summary: 'What is broken, the worst first',
    responses: {
      200: jsonResponse(findingsSchema, 'The open findings'),
      ...refusals,
    },
  }),
  createRoute({
    method: 'get',
    path: '/v1/matrix',
    operationId: 'getMatrix',
    summary: 'Who reaches whom, by zone or by node',
    description:
      'With by=node the agent asks its peers for their whole rows during the next five minutes. It sends no extra probes for that. With target the rows are the observers or their zones, and the columns the planes from which it is probed.',
    parameters: [matrixParameters],
    responses: {
      200: jsonResponse(z.union([zoneMatrixSchema, nodeMatrixSchema]), 'The matrix'),
      404: jsonResponse(errorSchema, 'There is no such zone or target'),
      ...refusals,
    },
  }),
  createRoute({
    method: 'get',
    path: '/v1/nodes',
    operationId: 'listNodes',
    summary: 'The nodes, in pages',
    request: { query: nodesQuerySchema },
    responses: {
      200: jsonResponse(nodePageSchema, 'One page, in the order of the names'),
      404: jsonResponse(errorSchema, 'There is no such zone'),
      ...refusals,
    },
  }),
  createRoute({
    method: 'get',
    path: '/v1/nodes/{name}',
    operationId: 'getNode',
    summary: 'One node',
    request: {
      params: z.object({
        name: z
          .string()
          .min(1)
          .max(maxNameLength)
          .describe('CLUSTER/NAME, or NAME in the cluster of the agent'),
      }),
    },
    responses: {
      200: jsonResponse(nodeEntrySchema, 'The node'),
      404: jsonResponse(errorSchema, 'There is no such node'),
      ...refusals,
    },
  }),
  createRoute({
    method: 'get',
    path: '/v1/targets',
    operationId: 'listTargets',
    summary: 'What the cluster lives on, and who reaches it',
    responses: {
      200: jsonResponse(targetsSchema, 'All targets, in the order of their definition'),
      ...refusals,
    },
  }),
  createRoute({
    method: 'get',
    path: '/v1/targets/{name}',
    operationId: 'getTarget',
    summary: 'One target',
    request: {
      params: z.object({
        name: z.string().min(1).max(maxNameLength).describe('The name of the target'),
      }),
    },
    responses: {
      200: jsonResponse(targetDetailSchema, 'The target'),
      404: jsonResponse(errorSchema, 'There is no such target'),
      ...refusals,
    },
  }),
  createRoute({
    method: 'get',
    path: '/v1/notices',
    operationId: 'listNotices',
    summary: 'Who is told of findings, and what was told',
    responses: {
      200: jsonResponse(noticesSchema, 'The receivers, and the last messages'),
      ...refusals,
    },
  }),
  createRoute({
    method: 'get',
    path: '/v1/events',
    operationId: 'streamEvents',
    summary: 'Changes, as they come',
    description:
      'The answer is a text/event-stream, or one JSON object per line with Accept: application/x-ndjson. The first event is a gap if events after the given id are no longer kept.',
    request: {
      query: eventsQuerySchema,
      headers: z.object({
        'last-event-id': z
          .string()
          // Numbers above have no exact form in JSON.
          .regex(/^([0-9]{0,15}|[0-8][0-9]{15})$/)
          .optional()
          .describe('Only events with a higher id; overrides `after`'),
      }),
    },
    responses: {
      200: {
        description: 'Events until the reader or the agent closes the stream',
        content: {
          'text/event-stream': { schema: serverSentEventSchema },
          'application/x-ndjson': { schema: streamEventSchema },
        },
      },
      503: jsonResponse(errorSchema, 'Too many readers'),
      ...refusals,
    },
  }),
];

const throughputRoute = createRoute({
  method: 'get',
  path: '/v1/throughput',
  operationId: 'listThroughputTests',
  summary: 'The last throughput tests of this agent',
  responses: {
    200: jsonResponse(throughputTestsSchema, 'The last ten, the newest first'),
    ...refusals,
  },
});

/** Describes `GET /v1/throughput`. `throughput.ts` serves it. */
export function registerThroughputPath(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerPath(throughputRoute);
}

/** Describes `/v1` in an OpenAPI document. `router.ts` serves it. */
export function registerV1Paths(registry: OpenAPIHono['openAPIRegistry']): void {
  for (const route of routes) registry.registerPath(route);
}
