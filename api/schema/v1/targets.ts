import * as z from 'zod';
import {
  countSchema,
  nanosecondsSchema,
  nodeNameSchema,
  secondsSchema,
  timeSchema,
} from './fields.js';
import type { ReadOnly } from './read-only.js';

export const targetVerdictSchema = z.enum(['ok', 'degraded', 'broken', 'unknown']).meta({
  id: 'TargetVerdict',
  description:
    'broken: no node reaches it, or some cannot; unknown: of one of its planes that nodes have nothing is known; degraded: it is lossy or slow, or a certificate ends soon',
});
export type TargetVerdict = z.infer<typeof targetVerdictSchema>;

const targetStateSchema = z
  .enum(['unknown', 'reachable', 'lossy', 'slow', 'unreachable'])
  .describe("This agent's own view, or that of its node's endpoint");

export const targetServerSchema = z
  .looseObject({
    server: z.string().describe('Its IP address, with a port where it is not 53'),
    state: targetStateSchema,
    failure: z.string().optional().describe('The last failure in words'),
  })
  .meta({ id: 'TargetServer', description: 'One of the DNS servers that are asked' });

/** One target from one plane: this node's own view, and in short that of all observers. */
export const targetPlaneSchema = z
  .looseObject({
    state: targetStateSchema,
    since: timeSchema
      .optional()
      .describe('When the state began; of unknown, since when nothing is known'),
    reason: z
      .string()
      .optional()
      .describe('Why the state is unknown, or why the last probe could not be sent'),
    rtt: z
      .looseObject({
        lastNs: nanosecondsSchema.optional(),
        p50Ns: nanosecondsSchema.optional().describe('Median of the last 60 probes'),
        p95Ns: nanosecondsSchema
          .optional()
          .describe('95th percentile of the last 60 probes; left out for fewer than 20'),
        p99Ns: nanosecondsSchema
          .optional()
          .describe('99th percentile of the last hour; left out for fewer than 100 round trips'),
      })
      .optional()
      .describe('Round trips of answered probes; of HTTP to the end of the answer'),
    loss: z
      .looseObject({
        loss1m: z.number().min(0).max(1).optional(),
        loss10m: z.number().min(0).max(1).optional(),
        loss1h: z.number().min(0).max(1).optional(),
      })
      .optional()
      .describe('Share of lost probes'),
    failure: z.string().optional().describe('The last failure in words'),
    failureKind: z.string().optional(),
    reached: z
      .looseObject({
        from: countSchema.describe('Nodes that reach it'),
        of: countSchema.describe(
          'Nodes that looked lately, and, where some fail, since it began to fail',
        ),
        lossy: countSchema.describe('Nodes that reach it and lose probes'),
        slow: countSchema.describe('Nodes that reach it more slowly than they did'),
        notLooked: countSchema.describe('Active nodes that say nothing about it'),
        otherDefinition: countSchema
          .optional()
          .describe('Those of them that probe something else by this name; absent: none'),
      })
      .describe('From how many of the nodes that looked it is reached'),
    notFrom: z
      .array(nodeNameSchema)
      .max(64)
      .describe('Nodes from which it is not reached, at most 64'),
    p50Ns: nanosecondsSchema.optional().describe("Median of all observers' medians"),
    p99Ns: nanosecondsSchema
      .optional()
      .describe(
        "Largest of the observers' 99th percentiles of the last hour; left out where none has 100 round trips",
      ),
    addresses: z.array(z.string()).optional().describe('The addresses of the last DNS answer'),
    ttlSeconds: secondsSchema.optional().describe('The time to live of the last DNS answer'),
    servers: z.array(targetServerSchema).optional(),
    status: z.int().optional().describe('The status of the last HTTP answer'),
    answeredBy: z
      .string()
      .optional()
      .describe('The node whose endpoint gave the last answer, if it said so'),
    certificate: z
      .looseObject({ endsAt: timeSchema, endsSoon: z.boolean() })
      .optional()
      .describe("The server's certificate"),
  })
  .meta({ id: 'TargetPlane' });
export type TargetPlane = z.infer<typeof targetPlaneSchema>;

export const targetPlanSchema = z
  .looseObject({
    intervalMs: z.number().describe('Between two probes from one plane of one node'),
    timeoutMs: z.number(),
    timeToDetectMs: z.number().describe('Until one node alone knows it'),
    timeToDetectWithHintsMs: z
      .number()
      .optional()
      .describe('Until all agents know a target that nobody reaches'),
    budgetPerSecond: z.number().describe('Probes a second of all agents together, at most'),
  })
  .meta({ id: 'TargetPlan' });
export type TargetPlan = z.infer<typeof targetPlanSchema>;

export const targetSchema = z
  .looseObject({
    name: z.string(),
    kind: z.enum(['dns', 'tcp', 'http', 'icmp']),
    probe: z.string().describe('What is probed, in short: without any credentials'),
    verdict: targetVerdictSchema,
    planes: z
      .looseObject({
        host: targetPlaneSchema.optional(),
        endpoint: targetPlaneSchema.optional(),
      })
      .describe(
        'The planes from which it is probed. No endpoint where no listed node has one, unless it is probed from endpoints only',
      ),
    plan: targetPlanSchema,
  })
  .meta({ id: 'Target', description: 'Something that the cluster lives on, probed by every node' });
export type TargetBody = ReadOnly<z.infer<typeof targetSchema>>;

/** The body of `GET /v1/targets/{name}`. */
export const targetDetailSchema = targetSchema
  .extend({ at: timeSchema })
  .meta({ id: 'TargetDetail', description: 'One target' });
export type TargetDetail = ReadOnly<z.infer<typeof targetDetailSchema>>;

/** The body of `GET /v1/targets`. */
export const targetsSchema = z
  .looseObject({
    at: timeSchema,
    targets: z.array(targetSchema).max(16),
  })
  .meta({ id: 'Targets' });
export type Targets = ReadOnly<z.infer<typeof targetsSchema>>;
