import * as z from 'zod';
import { problemSchema } from '../daemon-health.js';
import {
  countSchema,
  nodeNameSchema,
  observersSchema,
  planeSchema,
  protocolSchema,
  timeSchema,
} from './fields.js';

export const clusterVerdicts = ['ok', 'degraded', 'broken', 'unknown'] as const;
export const clusterVerdictSchema = z.enum(clusterVerdicts).meta({
  id: 'ClusterVerdict',
  description:
    "`broken` or `degraded` while a finding of that severity is open; `unknown` before the first sweep, without a node list, while the agent's own node is not in it, while this agent does not probe a protocol that is not switched off, while no other agent was ever heard, while most agents that told what they see no longer tell it, while this agent knows less than half of its paths by a channel that it probes, while failing pairs or targets have no finding, while no agent knows whether a plane of a node or a target works, while a second address that is meant to answer does not, and for some seconds after the agent was stopped and went on; else `ok`",
});
export type ClusterVerdict = z.infer<typeof clusterVerdictSchema>;

export const pathCountsSchema = z
  .looseObject({
    reachable: countSchema,
    unreachable: countSchema,
    unknown: countSchema,
    lossy: countSchema.describe('Reachable paths that lost probes of late'),
    slow: countSchema.describe('Reachable paths whose RTT is well above what it was'),
    degraded: countSchema.describe(
      'Reachable paths that are lossy or slow; kept for older readers',
    ),
  })
  .meta({ id: 'PathCounts', description: 'Primary paths to active nodes, by state' });

export const largeCountsSchema = z
  .looseObject({
    ok: countSchema,
    lost: countSchema,
    unknown: countSchema.describe('Not tested yet, or the test said nothing'),
  })
  .meta({
    id: 'LargeCounts',
    description: 'Primary paths to other nodes that are reachable by HTTP: do large packets pass?',
  });

const pathCountsByProtocol = z.looseObject({
  icmp: pathCountsSchema.optional(),
  http: pathCountsSchema.optional(),
  large: largeCountsSchema.optional().describe('Absent: an older agent'),
});

export const familyCountsSchema = z
  .looseObject({
    family: z.enum(['ipv4', 'ipv6']),
    plane: planeSchema,
    protocol: protocolSchema,
    reachable: countSchema,
    unreachable: countSchema,
    unknown: countSchema,
  })
  .meta({
    id: 'FamilyCounts',
    description: 'Paths to second addresses of active nodes, of another family than the first one',
  });

export const detectionPlanSchema = z
  .looseObject({
    intervalMs: z.number().nonnegative().describe('Milliseconds between two probes of a path'),
    timeToDetectMs: z
      .number()
      .nonnegative()
      .describe('Milliseconds until this agent alone detects a dead node'),
    timeToDetectWithHintsMs: z
      .number()
      .nonnegative()
      .optional()
      .describe('Milliseconds until this agent detects a dead node with the hints of its peers'),
  })
  .meta({ id: 'DetectionPlan', description: 'How often one protocol probes each path' });

export const notProbedSchema = z
  .looseObject({
    protocol: protocolSchema,
    reason: z.string().describe('Why, in two or three words'),
    text: z.string().describe('Why, in one sentence, as the paths of a node give it'),
    switchedOff: z.boolean().describe('A setting asked for it; then the verdict may be `ok`'),
  })
  .meta({ id: 'NotProbed', description: 'A protocol that this agent does not probe at all' });
export type NotProbed = z.infer<typeof notProbedSchema>;

/** The body of `GET /v1/summary`. */
export const summarySchema = z
  .looseObject({
    node: nodeNameSchema.describe('The node of the agent that answers'),
    at: timeSchema,
    generation: countSchema.describe('Number of the snapshot behind this answer'),
    verdict: clusterVerdictSchema,
    reason: z
      .string()
      .optional()
      .describe('Why the verdict is not ok, in one sentence; absent: it is ok'),
    nodes: z.looseObject({
      active: countSchema,
      joining: countSchema,
      leaving: countSchema,
      excluded: countSchema,
    }),
    clusters: countSchema
      .optional()
      .describe('How many clusters the nodes are of; absent: an older agent'),
    groupBy: z
      .array(z.string())
      .optional()
      .describe('The labels that nodes are grouped by, at most 8; absent: an older agent'),
    observers: observersSchema,
    paths: z
      .looseObject({ host: pathCountsByProtocol, endpoint: pathCountsByProtocol })
      .describe("This agent's own primary paths to active nodes, by the protocols that it probes"),
    notProbed: z
      .array(notProbedSchema)
      .optional()
      .describe('The protocols that this agent does not probe at all; absent: it probes both'),
    families: z
      .array(familyCountsSchema)
      .optional()
      .describe("This agent's own paths to addresses of a second family; absent: there are none"),
    findings: countSchema.describe('Open findings'),
    unexplained: countSchema
      .optional()
      .describe('Failing pairs in fresh rows that no open finding explains; absent: none'),
    unexplainedTargets: countSchema
      .optional()
      .describe('Targets that fail somewhere where no open finding explains it; absent: none'),
    problems: z
      .array(problemSchema)
      .optional()
      .describe('What is wrong with this agent itself; absent: an older agent'),
    plan: z.looseObject({
      icmp: detectionPlanSchema.optional(),
      http: detectionPlanSchema.optional(),
    }),
  })
  .meta({ id: 'Summary' });
export type Summary = z.infer<typeof summarySchema>;
