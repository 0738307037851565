import * as z from 'zod';
import { lifecycleSchema } from '../status.js';
import {
  countSchema,
  knownSchema,
  nanosecondsSchema,
  nodeNameSchema,
  planeSchema,
  pathStateSchema,
  timeSchema,
} from './fields.js';
import { changeSchema, signSchema } from './host.js';
import { nodeVerdicts } from './node-verdicts.js';
import { flowsResult } from './path-tests.js';

export const nodeVerdictSchema = z.enum(nodeVerdicts).meta({
  id: 'NodeVerdict',
  description: 'One word for a node; `excluded` if it is not expected to answer',
});
export type NodeVerdict = z.infer<typeof nodeVerdictSchema>;

export const ownPathSchema = z
  .looseObject({
    state: pathStateSchema,
    lossy: z.boolean().optional().describe('True if it is reachable and lost probes of late'),
    slow: z
      .boolean()
      .optional()
      .describe('True if it is reachable and its RTT is well above its past RTTs'),
    degraded: z
      .boolean()
      .optional()
      .describe('True if it is lossy or slow; kept for older readers'),
    rttNs: nanosecondsSchema.optional().describe('The last round trip in nanoseconds'),
    failure: z.string().optional().describe('The last failure in words'),
    reason: z.string().optional().describe('Why the state is unknown'),
    since: timeSchema.optional().describe('When the state began'),
  })
  .meta({ id: 'OwnPath', description: "This agent's primary path to a node by one protocol" });
export type OwnPath = z.infer<typeof ownPathSchema>;

export const largeStateSchema = z
  .looseObject({
    state: z
      .enum(['ok', 'lost', 'unknown'])
      .describe('lost: three GETs of 16 KB each way were lost in a row, and small ones passed'),
    size: countSchema.describe('Bytes that such a GET carries each way'),
    since: timeSchema.optional().describe('When the state began'),
    limit: z
      .looseObject({
        bytes: countSchema.describe('The largest IP packet that passes'),
        saidBy: z.string().optional().describe('The router that says so. Absent: nobody does'),
      })
      .optional(),
  })
  .meta({ id: 'LargeState', description: "Whether large packets pass this agent's primary path" });
export type LargeState = z.infer<typeof largeStateSchema>;

export const udpStateSchema = z
  .looseObject({
    windowSeconds: countSchema.describe('What is counted is of the last so many seconds'),
    sent: countSchema.describe('Datagrams that were sent and whose answer came or is overdue'),
    lost: countSchema.describe(
      'Of these, those without an answer; 0 as long as none ever came, as then nothing is known',
    ),
    lostThere: countSchema.describe('Lost ones that the peer did not get, by its own count'),
    lostBack: countSchema.describe(
      'Lost ones whose answer was lost. The rest of `lost` is not known',
    ),
    reorderedThere: countSchema.describe('Datagrams that the peer got later than one sent later'),
    reorderedBack: countSchema.describe('Answers that came later than one sent later'),
    duplicatedThere: countSchema.describe('Datagrams that the peer got once more'),
    duplicatedBack: countSchema.describe('Answers that came once more'),
    lastAnswer: timeSchema
      .optional()
      .describe('Absent if none ever came: the peer may have no `--udp-port`'),
  })
  .meta({
    id: 'UdpState',
    description: "What became of datagrams on this agent's primary path, with `--udp-port`",
  });
export type UdpState = z.infer<typeof udpStateSchema>;

export const flowStateSchema = z
  .looseObject({
    ...flowsResult,
    at: timeSchema.describe('When they were tested'),
  })
  .meta({ id: 'FlowState', description: 'Whether connections from 64 source ports pass a path' });
export type FlowState = z.infer<typeof flowStateSchema>;

const ownPathsByProtocol = z.looseObject({
  icmp: ownPathSchema.optional(),
  http: ownPathSchema.optional(),
  large: largeStateSchema.optional().describe('In `/v1/nodes` only where large packets are lost'),
  udp: udpStateSchema.optional().describe('Only of `/v1/nodes/{name}`, and with `--udp-port`'),
  flows: flowStateSchema
    .optional()
    .describe('Only of `/v1/nodes/{name}`; absent: the path lost no probes by HTTP of late'),
  hops: countSchema
    .optional()
    .describe(
      'Only of `/v1/nodes/{name}`: how many hops the echo replies usually take, the node among them, by their TTL',
    ),
});

export const nodeTargetSchema = z
  .looseObject({
    name: z.string().describe('The name of the target'),
    plane: planeSchema,
    state: z.enum(['reachable', 'lossy', 'slow', 'unreachable', 'unknown']),
    failureKind: z.string().optional(),
    p50Ns: nanosecondsSchema.optional().describe('Median of the last 60 probes'),
    p99Ns: nanosecondsSchema
      .optional()
      .describe('99th percentile of the last hour; left out for fewer than 100 round trips'),
  })
  .meta({ id: 'NodeTarget', description: 'A target as a node sees it from one plane' });
export type NodeTarget = z.infer<typeof nodeTargetSchema>;

export const nodeEntrySchema = z
  .looseObject({
    name: nodeNameSchema,
    zone: z.string().optional().describe('Absent if the node has no zone'),
    lifecycle: lifecycleSchema.describe('Only an active node is expected to answer'),
    known: knownSchema.optional(),
    addresses: z
      .looseObject({ host: z.array(z.string()), endpoint: z.array(z.string()) })
      .describe('IP addresses by plane, the primary one first'),
    unreachableAddresses: z
      .array(z.string())
      .optional()
      .describe(
        'Further addresses that do not answer this agent by a protocol, of those that are meant to answer; absent: there are none',
      ),
    verdict: nodeVerdictSchema,
    findings: z
      .array(z.string())
      .optional()
      .describe(
        'The ids of the open findings of many (`count`) that stand for it, its zone or a pair with it, and of those of a `group` that it is in',
      ),
    paths: z
      .looseObject({ host: ownPathsByProtocol, endpoint: ownPathsByProtocol.optional() })
      .describe("This agent's own view"),
    seenBy: z
      .looseObject({ reachable: countSchema, unreachable: countSchema, of: countSchema })
      .describe(
        'How many observers reach the node at all first addresses that they probe, and how many do not; the others of `of` do not tell, as a row has room for 64 nodes that are not well',
      ),
    labels: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'Its values of the labels that nodes are grouped by (`groupBy` of `/v1/summary`); only of GET /v1/nodes/{name}. Absent: it has none of them',
      ),
    targets: z
      .array(nodeTargetSchema)
      .optional()
      .describe('What the node reaches, by its last row; only of GET /v1/nodes/{name}'),
    changes: z
      .array(changeSchema)
      .max(16)
      .optional()
      .describe(
        'What changed on its host in the last hour, by its last row, the newest first; only of GET /v1/nodes/{name} and with `shows`',
      ),
    signs: z
      .array(signSchema)
      .max(8)
      .optional()
      .describe(
        'What its host shows, by its last row; only of GET /v1/nodes/{name} and with `shows`, and absent where its row is not fresh',
      ),
  })
  .meta({ id: 'NodeEntry' });
export type NodeEntry = z.infer<typeof nodeEntrySchema>;

/** The body of `GET /v1/nodes`. */
export const nodePageSchema = z
  .looseObject({
    at: timeSchema,
    nodes: z.array(nodeEntrySchema).describe('In the order of their names'),
    nextCursor: z.string().optional().describe('Given as `cursor`, it asks for the next page'),
  })
  .meta({ id: 'NodePage' });
export type NodePage = z.infer<typeof nodePageSchema>;
