import * as z from 'zod';

/** A path's state for one protocol, as judged by the agent's thresholds. */
export const stateSchema = z.enum(['unknown', 'reachable', 'unreachable']);
export type State = z.infer<typeof stateSchema>;

const share = z.number().min(0).max(1).optional();
const nanoseconds = z.int().nonnegative().optional();

/**
 * What one protocol knows of one path. Absent as a whole while the state is unknown. `latency` is
 * nanoseconds and never stands for a failed probe; an absent or empty `status` means success.
 * An absent loss is zero, an absent flag false. `min` to `max` are over the last 60 probes that were
 * answered and not tainted; `connect`, `firstByte` and `tcpRtt` are of the last HTTP probe.
 * `failureKind` is what `status` comes to for programs: timeout, refused, unreachable, prohibited, reset,
 * protocol, status, too-large, or local where the agent's own host could not reach the network.
 * `degraded`: it loses probes; `slow`: its RTT has risen well above its own past.
 * Loose, as are all answers: a reader keeps fields that a newer agent adds. A missing part may be
 * null, as Go writes it.
 *
 * Follows `ConnectivityStatus` of Cilium's health API description; fields from `state` on are ours.
 */
export const protocolStatusSchema = z.looseObject({
  latency: z.int().nonnegative().nullish(),
  status: z.string().nullish(),
  failureKind: z.string().optional(),
  lastProbed: z.string().nullish(),
  state: stateSchema.optional(),
  since: z.string().optional(),
  failures: z.int().nonnegative().optional(),
  degraded: z.boolean().optional(),
  slow: z.boolean().optional(),
  tainted: z.boolean().optional(),
  loss1m: share,
  loss10m: share,
  loss1h: share,
  min: nanoseconds,
  p50: nanoseconds,
  p95: nanoseconds,
  p99: nanoseconds,
  max: nanoseconds,
  connect: nanoseconds,
  firstByte: nanoseconds,
  tcpRtt: nanoseconds,
  synRetransmissions: z.int().nonnegative().optional(),
});
export type ProtocolStatus = z.infer<typeof protocolStatusSchema>;

/** One address of one node on one plane. `unknown` gives the reason where a protocol is absent. */
export const pathStatusSchema = z.looseObject({
  ip: z.string(),
  icmp: protocolStatusSchema.nullish(),
  http: protocolStatusSchema.nullish(),
  unknown: z.looseObject({ icmp: z.string().optional(), http: z.string().optional() }).optional(),
});
export type PathStatus = z.infer<typeof pathStatusSchema>;

/** One plane of one node: its primary address and any others. */
export const planeStatusSchema = z.looseObject({
  'primary-address': pathStatusSchema.nullish(),
  'secondary-addresses': z.array(pathStatusSchema).nullish(),
});
export type PlaneStatus = z.infer<typeof planeStatusSchema>;

/** Only an active node is expected to answer; of another the phase says where it is in its life. */
export const lifecycleSchema = z.looseObject({
  phase: z.enum(['joining', 'active', 'leaving', 'excluded']),
  reason: z.string().optional(),
});
export type Lifecycle = z.infer<typeof lifecycleSchema>;

/** One node; without a lifecycle it is active. `endpoint` is the deprecated twin of `health-endpoint.primary-address`. */
export const nodeStatusSchema = z.looseObject({
  name: z.string(),
  lifecycle: lifecycleSchema.optional(),
  host: planeStatusSchema.nullish(),
  'health-endpoint': planeStatusSchema.nullish(),
  endpoint: pathStatusSchema.nullish(),
});
export type NodeStatus = z.infer<typeof nodeStatusSchema>;

/** How one protocol is probed: every path once an interval, and a death is known in that time. */
export const protocolPlanSchema = z.looseObject({
  paths: z.int().nonnegative(),
  intervalMs: z.number().nonnegative(),
  timeToDetectMs: z.number().nonnegative(),
  /** The same where the peers' hints come through. */
  timeToDetectWithHintsMs: z.number().nonnegative().optional(),
});
export type ProtocolPlan = z.infer<typeof protocolPlanSchema>;

export const planSchema = z.looseObject({
  icmp: protocolPlanSchema.optional(),
  http: protocolPlanSchema.optional(),
});
export type Plan = z.infer<typeof planSchema>;

/** The body of `GET /v1beta/status` and of `PUT /v1beta/status/probe`. */
export const statusSchema = z.looseObject({
  local: z.looseObject({ name: z.string() }),
  timestamp: z.string(),
  probeInterval: z.string().optional(),
  generation: z.int().nonnegative().optional(),
  /** Open findings of the whole cluster. */
  findings: z.int().nonnegative().optional(),
  plan: planSchema.optional(),
  nodes: z.array(nodeStatusSchema),
});
export type Status = z.infer<typeof statusSchema>;
