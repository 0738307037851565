import * as z from 'zod';
import { protocolStatusSchema } from './status.js';

/** One probe of the past: `rtt` in nanoseconds, or the words of its failure. */
export const sampleSchema = z.looseObject({
  at: z.string(),
  rtt: z.int().nonnegative().optional(),
  failure: z.string().optional(),
  tainted: z.boolean().optional(),
});
export type HistorySample = z.infer<typeof sampleSchema>;

/** One path by one protocol: what is known of it now, and its last probes, the oldest first. */
export const seriesSchema = protocolStatusSchema.extend({ samples: z.array(sampleSchema) });
export type HistorySeries = z.infer<typeof seriesSchema>;

export const historyPathSchema = z.looseObject({
  plane: z.enum(['host', 'endpoint']),
  ip: z.string(),
  icmp: seriesSchema.optional(),
  http: seriesSchema.optional(),
});
export type HistoryPath = z.infer<typeof historyPathSchema>;

/** The body of `GET /v1beta/history?node=NAME`. */
export const historySchema = z.looseObject({
  node: z.string(),
  timestamp: z.string(),
  /** How many samples are kept of each path and protocol, and what that takes of the memory. */
  keptSamples: z.int().positive(),
  bytesPerPath: z.int().positive(),
  paths: z.array(historyPathSchema),
});
export type History = z.infer<typeof historySchema>;
