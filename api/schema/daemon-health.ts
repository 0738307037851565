import * as z from 'zod';
import { planSchema } from './status.js';

/** What became of the ICMP echoes since the agent started. */
export const echoCountsSchema = z.looseObject({
  sent: z.int().nonnegative(),
  answered: z.int().nonnegative(),
  late: z.int().nonnegative(),
  duplicate: z.int().nonnegative(),
  foreign: z.int().nonnegative(),
  dropped: z.int().nonnegative(),
});

/**
 * What this agent exchanges with the others: how many rows of theirs are recent, old or were never sent, and how
 * many hints were sent and received since it started, with what became of those.
 */
export const exchangeSchema = z.looseObject({
  observers: z.looseObject({
    fresh: z.int().nonnegative(),
    stale: z.int().nonnegative(),
    silent: z.int().nonnegative(),
    oldestSeconds: z.number().nonnegative().optional(),
  }),
  hints: z.looseObject({
    sent: z.int().nonnegative(),
    received: z.int().nonnegative(),
    probed: z.int().nonnegative(),
    known: z.int().nonnegative(),
    refused: z.int().nonnegative(),
  }),
  messages: z.looseObject({
    received: z.int().nonnegative(),
    malformed: z.int().nonnegative(),
    unauthenticated: z.int().nonnegative(),
    source: z.int().nonnegative(),
  }),
  rowsReceived: z.int().nonnegative(),
});
export type ExchangeHealth = z.infer<typeof exchangeSchema>;

/**
 * The body of `GET /v1beta/healthz`. `uptime` is a Go duration, the loads are decimal strings, and
 * `problems` (ours) has one line for each thing the agent knows to be wrong with itself; ours too are
 * the probing plan, the longest stall of the agent's event loop in the last minute, what it exchanges with
 * the others, and the ICMP
 * counts: answers that came late, twice, or that no probe of ours caused, and what this host dropped.
 */
export const daemonHealthSchema = z.looseObject({
  uptime: z.string(),
  'system-load': z.looseObject({
    last1min: z.string(),
    last5min: z.string(),
    last15min: z.string(),
  }),
  cilium: z
    .looseObject({
      cilium: z.looseObject({ state: z.string(), msg: z.string() }).optional(),
    })
    .optional(),
  problems: z.array(z.string()).optional(),
  plan: planSchema.optional(),
  'event-loop': z.looseObject({ 'longest-stall-ms': z.number().nonnegative() }).optional(),
  icmp: echoCountsSchema.optional(),
  exchange: exchangeSchema.optional(),
});
export type DaemonHealth = z.infer<typeof daemonHealthSchema>;

/** Every error body: a JSON string, as Cilium's `Error` model. */
export const errorSchema = z.string();
