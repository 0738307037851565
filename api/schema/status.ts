import * as z from 'zod';
import { countSchema, nanosecondsSchema, nodeNameSchema, timeSchema } from './v1/fields.js';

// Every answer is a loose object: a reader keeps fields that a newer agent adds. A missing part may
// be null, because Go writes it so.

/** The query of `GET /v1beta/status`. */
export const statusQuerySchema = z.object({
  brief: z
    .enum(['true', 'false'])
    .optional()
    .describe('true: each path has only what meshprobe status prints, a third of the bytes'),
});

/** The state of one path by one protocol. The agent's thresholds decide it. */
export const stateSchema = z.enum(['unknown', 'reachable', 'unreachable']);
export type State = z.infer<typeof stateSchema>;

/** Like `.nullish()`, which would lose the name of the schema in the OpenAPI document. */
const orAbsent = <T extends z.ZodType>(schema: T) => z.union([schema, z.null()]).optional();

const share = (period: string) =>
  z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(`Share of lost probes in the last ${period}, 0 to 1; absent: none`);
const nanoseconds = (meaning: string) =>
  nanosecondsSchema.optional().describe(`${meaning}, in nanoseconds`);
const ofLastSamples = (what: string) =>
  nanoseconds(`${what} RTT of the last 60 probes that were answered and not tainted`);

/**
 * The state of one path by one protocol. It is absent while the state is unknown. It follows
 * `ConnectivityStatus` of Cilium's health API. The fields from `state` on are additions.
 */
export const protocolStatusSchema = z
  .looseObject({
    latency: nanosecondsSchema
      .nullish()
      .describe('RTT of the last answered probe in nanoseconds; absent if status is a failure'),
    status: z.string().nullish().describe('The failure in words; absent or empty: success'),
    failureKind: z
      .string()
      .optional()
      .describe(
        'The failure for programs: timeout, refused, unreachable, prohibited, reset, protocol, status, too-large or local. local: the host of the agent could not reach the network',
      ),
    lastProbed: z.string().nullish().meta({ format: 'date-time', description: 'RFC 3339' }),
    state: stateSchema.optional(),
    since: timeSchema.optional().describe('When the path came into this state, RFC 3339'),
    failures: countSchema.optional().describe('Failures in a row'),
    lossy: z.boolean().optional().describe('True if the path is reachable and loses probes'),
    slow: z
      .boolean()
      .optional()
      .describe('True if the path is reachable and its RTT is well above its past RTTs'),
    degraded: z
      .boolean()
      .optional()
      .describe('True if the path is lossy or slow; kept for older readers'),
    tainted: z
      .boolean()
      .optional()
      .describe(
        'True if the agent had no CPU time during the last probe, so that the round trip says nothing',
      ),
    loss1m: share('minute'),
    loss10m: share('ten minutes'),
    loss1h: share('hour'),
    min: ofLastSamples('Least'),
    p50: ofLastSamples('Median'),
    p95: ofLastSamples('Left out for fewer than 20: 95th percentile of the'),
    p99: ofLastSamples('Only of older agents, as 60 are too few for it: 99th percentile of the'),
    max: ofLastSamples('Largest'),
    connect: nanoseconds('Time that the last HTTP probe took to connect'),
    firstByte: nanoseconds('Time from the request of the last HTTP probe to its first byte'),
    tcpRtt: nanoseconds("The kernel's own RTT of the last HTTP probe's connection"),
    synRetransmissions: countSchema
      .optional()
      .describe('SYN packets that the last HTTP probe had to send again'),
  })
  .meta({ id: 'ProtocolStatus', description: 'One path by one protocol' });
export type ProtocolStatus = z.infer<typeof protocolStatusSchema>;

export const pathStatusSchema = z
  .looseObject({
    ip: z.string().describe('IP address'),
    icmp: orAbsent(protocolStatusSchema).describe('Absent: unknown'),
    http: orAbsent(protocolStatusSchema).describe('Absent: unknown'),
    unknown: z
      .looseObject({ icmp: z.string().optional(), http: z.string().optional() })
      .optional()
      .describe('The reasons why a protocol is unknown'),
  })
  .meta({ id: 'PathStatus', description: 'One address of one node on one plane' });
export type PathStatus = z.infer<typeof pathStatusSchema>;

export const planeStatusSchema = z
  .looseObject({
    'primary-address': orAbsent(pathStatusSchema),
    'secondary-addresses': orAbsent(z.array(pathStatusSchema)),
  })
  .meta({ id: 'PlaneStatus', description: 'One node on one plane' });
export type PlaneStatus = z.infer<typeof planeStatusSchema>;

export const lifecycleSchema = z
  .looseObject({
    phase: z.enum(['joining', 'active', 'leaving', 'excluded']),
    reason: z.string().optional(),
  })
  .meta({
    id: 'Lifecycle',
    description: 'The phase of a node; only an active node is expected to answer',
  });
export type Lifecycle = z.infer<typeof lifecycleSchema>;

export const nodeStatusSchema = z
  .looseObject({
    name: nodeNameSchema,
    lifecycle: lifecycleSchema.optional().describe('Absent: active'),
    host: orAbsent(planeStatusSchema).describe('The paths to the IPs of the node'),
    'health-endpoint': orAbsent(planeStatusSchema).describe(
      'The paths to the IPs of its health endpoint on the pod network',
    ),
    endpoint: orAbsent(pathStatusSchema).describe(
      'Deprecated: the same as health-endpoint.primary-address',
    ),
  })
  .meta({ id: 'NodeStatus', description: 'One node' });
export type NodeStatus = z.infer<typeof nodeStatusSchema>;

const milliseconds = z.number().nonnegative();

export const protocolPlanSchema = z
  .looseObject({
    paths: countSchema.describe('Paths that are probed'),
    intervalMs: milliseconds.describe('Milliseconds between two probes of a path'),
    timeToDetectMs: milliseconds.describe(
      'Milliseconds until this agent alone detects a dead node',
    ),
    timeToDetectWithHintsMs: milliseconds
      .optional()
      .describe('Milliseconds until this agent detects a dead node with the hints of its peers'),
  })
  .meta({ id: 'ProtocolPlan', description: 'How one protocol probes its paths' });
export type ProtocolPlan = z.infer<typeof protocolPlanSchema>;

export const planSchema = z
  .looseObject({ icmp: protocolPlanSchema.optional(), http: protocolPlanSchema.optional() })
  .meta({ id: 'Plan', description: 'How often paths are probed' });
export type Plan = z.infer<typeof planSchema>;

/** The body of `GET /v1beta/status` and of `PUT /v1beta/status/probe`. */
export const statusSchema = z
  .looseObject({
    local: z.looseObject({ name: nodeNameSchema }).describe("The agent's own node"),
    timestamp: timeSchema.describe('The time of this data, RFC 3339'),
    probeInterval: z
      .string()
      .optional()
      .describe('The longest interval of `plan` as a Go duration: 1m0s'),
    generation: countSchema.optional().describe('Number of the snapshot behind this answer'),
    findings: countSchema.optional().describe('Open findings of the whole cluster'),
    plan: planSchema.optional(),
    nodes: z.array(nodeStatusSchema),
  })
  .meta({ id: 'Status', description: 'What one agent knows of every path' });
export type Status = z.infer<typeof statusSchema>;
