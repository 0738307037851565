import * as z from 'zod';
import { mostCheckedPaths, mostNotProbed } from './check-limits.js';
import {
  countSchema,
  nanosecondsSchema,
  nodeNameSchema,
  planeSchema,
  protocolSchema,
  timeSchema,
} from './fields.js';
import { findingSchema, findingsSchema } from './findings.js';
import { zoneMatrixSchema } from './matrix.js';
import type { ReadOnly } from './read-only.js';
import { clusterVerdictSchema, summarySchema } from './summary.js';
import { targetsSchema } from './targets.js';

export const checkedPathSchema = z
  .looseObject({
    from: nodeNameSchema.describe('The observer'),
    to: nodeNameSchema,
    plane: planeSchema,
    protocol: protocolSchema,
    p50Ns: nanosecondsSchema.optional().describe('Median round trip in nanoseconds'),
    loss: z.number().min(0).max(1).optional().describe('Share of lost probes, 0 to 1'),
  })
  .meta({ id: 'CheckedPath', description: 'The primary path to a node on a plane' });
export type CheckedPath = ReadOnly<z.infer<typeof checkedPathSchema>>;

/** What one agent gives to a check: `meshprobe check --of-agent`. */
export const agentPartSchema = z.looseObject({
  summary: summarySchema,
  targets: targetsSchema,
  /** Absent while a check only asks how far the agent is. */
  findings: findingsSchema.optional(),
  matrix: zoneMatrixSchema.optional(),
  slowest: z.array(checkedPathSchema).optional(),
  lossiest: z.array(checkedPathSchema).optional(),
});
export type AgentPart = ReadOnly<z.infer<typeof agentPartSchema>>;

export const leftOutNodeSchema = z.looseObject({
  node: z.string().describe('The name that Kubernetes has for it'),
  why: z.string().describe('Such as an image that cannot be pulled, no room, or no answer'),
});
export type LeftOutNode = ReadOnly<z.infer<typeof leftOutNodeSchema>>;

/** What `kubectl meshprobe check -o json` prints. */
export const checkSchema = z
  .looseObject({
    at: timeSchema.describe('When the last agent was asked'),
    image: z.string(),
    seconds: z.number().nonnegative().describe('How long it took, without the removal'),
    verdict: clusterVerdictSchema.describe(
      'ok: nothing was found, and everything was probed from every node that could take part; `unknown`: nothing was found, and not all was probed',
    ),
    reason: z.string().optional().describe('Why it is not ok, in one sentence'),
    nodes: z
      .looseObject({
        all: countSchema,
        checked: countSchema.describe('Nodes whose agent told what it sees'),
        leftOut: z.array(leftOutNodeSchema).describe('The others'),
      })
      .describe('Nodes of the cluster'),
    notProbed: z
      .array(z.string())
      .max(mostNotProbed)
      .describe('What an agent did not probe in time, one sentence each'),
    findings: z
      .array(findingSchema)
      .describe('Those of all agents, the worst first. `next` is empty: their agents are gone'),
    targets: targetsSchema.shape.targets.describe('As the agent that heard most others tells it'),
    matrix: zoneMatrixSchema
      .optional()
      .describe('As the agent that heard most others tells it; each cell is of the worst channel'),
    slowest: z.array(checkedPathSchema).max(mostCheckedPaths).describe('Largest median first'),
    lossiest: z
      .array(checkedPathSchema)
      .max(mostCheckedPaths)
      .describe('Only paths that lost probes, the largest loss first'),
  })
  .meta({ id: 'Check', description: 'What `kubectl meshprobe check -o json` prints' });
export type Check = ReadOnly<z.infer<typeof checkSchema>>;
