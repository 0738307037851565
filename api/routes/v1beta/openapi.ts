import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import { errorSchema } from '../../schema/daemon-health.js';
import { historyQuerySchema, historySchema } from '../../schema/history.js';
import { statusQuerySchema, statusSchema } from '../../schema/status.js';
import { jsonResponse, refusals } from '../openapi-responses.js';

const routes = [
  createRoute({
    method: 'get',
    path: '/v1beta/status',
    operationId: 'getStatus',
    summary: 'The cached status of every path',
    request: { query: statusQuerySchema },
    responses: {
      200: jsonResponse(statusSchema, 'What is known now; round trips in nanoseconds'),
      304: { description: 'Unchanged since the ETag given in If-None-Match' },
      ...refusals,
    },
  }),
  createRoute({
    method: 'get',
    path: '/v1beta/history',
    operationId: 'getHistory',
    summary: 'The last probes of every path of one node',
    request: { query: historyQuerySchema },
    responses: {
      200: jsonResponse(historySchema, 'The kept samples; round trips in nanoseconds'),
      404: jsonResponse(errorSchema, 'There is no such node'),
      ...refusals,
    },
  }),
];

/** Describes the part of `/v1beta` that TCP serves in an OpenAPI document. */
export function registerV1betaPaths(registry: OpenAPIHono['openAPIRegistry']): void {
  for (const route of routes) registry.registerPath(route);
}
