import * as z from 'zod';
import { protocolStatusSchema } from './status.js';
import { countSchema, nanosecondsSchema, nodeNameSchema, timeSchema } from './v1/fields.js';
import { maxNameLength } from './v1/name-length.js';
import { textOf } from './v1/text-length.js';

const expectedName = 'expected the name of a node: ?node=NAME or ?node=CLUSTER/NAME';

/** The query of `GET /v1beta/history`. */
export const historyQuerySchema = z.object({
  node: textOf(1, maxNameLength, expectedName).describe(
    'CLUSTER/NAME, or NAME in the cluster of the agent',
  ),
});

export const sampleSchema = z
  .looseObject({
    at: timeSchema,
    rtt: nanosecondsSchema.optional().describe('RTT in nanoseconds; absent after a failure'),
    failure: z.string().optional().describe('The failure in words'),
    tainted: z
      .boolean()
      .optional()
      .describe(
        'True if the agent had no CPU time during the probe, so that the round trip says nothing',
      ),
  })
  .meta({ id: 'HistorySample', description: 'One past probe' });
export type HistorySample = z.infer<typeof sampleSchema>;

export const seriesSchema = protocolStatusSchema
  .extend({ samples: z.array(sampleSchema).describe('The last probes, the oldest first') })
  .meta({
    id: 'HistorySeries',
    description: 'One path by one protocol: its current state and its last probes',
  });
export type HistorySeries = z.infer<typeof seriesSchema>;

export const historyPathSchema = z
  .looseObject({
    plane: z.enum(['host', 'endpoint']),
    ip: z.string().describe('IP address'),
    icmp: seriesSchema.optional(),
    http: seriesSchema.optional(),
  })
  .meta({ id: 'HistoryPath', description: 'One address of the node on one plane' });
export type HistoryPath = z.infer<typeof historyPathSchema>;

/** The body of `GET /v1beta/history?node=NAME`. */
export const historySchema = z
  .looseObject({
    node: nodeNameSchema,
    timestamp: timeSchema.describe('The time of this data, RFC 3339'),
    keptSamples: countSchema.min(1).describe('Samples that are kept for each path and protocol'),
    bytesPerPath: countSchema.min(1).describe('Bytes of memory that the samples of one path take'),
    paths: z.array(historyPathSchema),
  })
  .meta({ id: 'History', description: 'The last probes of every path of one node' });
export type History = z.infer<typeof historySchema>;
