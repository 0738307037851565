import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import { refusals } from './openapi-responses.js';

const route = createRoute({
  method: 'get',
  path: '/metrics',
  operationId: 'getMetrics',
  summary: 'The metrics of this agent, for Prometheus',
  responses: {
    200: {
      description: "The metrics in Prometheus' text format",
      content: { 'text/plain': { schema: z.string() } },
    },
    401: refusals[401],
    421: refusals[421],
  },
});

/** Describes `GET /metrics` in an OpenAPI document. */
export function registerMetricsPath(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerPath(route);
}
