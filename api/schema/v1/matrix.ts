import * as z from 'zod';
import {
  countSchema,
  nanosecondsSchema,
  nodeNameSchema,
  planeSchema,
  protocolSchema,
  secondsSchema,
  timeSchema,
} from './fields.js';

/** The plane and protocol of the cells. A body that another tool has stored may lack them. */
const subject = {
  plane: planeSchema.optional().describe('Absent: of each pair the worst'),
  protocol: protocolSchema.optional().describe('Absent: of each pair the worst'),
  unreported: z
    .array(z.looseObject({ plane: planeSchema, protocol: protocolSchema }))
    .optional()
    .describe('Channels that nobody reports. They are not among those of which the worst is shown'),
  target: z
    .string()
    .optional()
    .describe(
      'Only if one was asked for: columns are the planes from which this target is probed, instead of nodes or zones',
    ),
};

export const zoneCellSchema = z
  .looseObject({
    from: z.string().describe('Zone of the observers; empty for nodes without a zone'),
    to: z
      .string()
      .describe('Zone of the probed nodes; empty for nodes without a zone. Of a target: the plane'),
    pairs: countSchema.describe('All pairs of nodes, also those of which nothing is known'),
    failing: countSchema,
    lossy: countSchema,
    slow: countSchema,
    degraded: countSchema.describe('lossy and slow together; kept for older readers'),
    unknown: countSchema,
    plane: planeSchema.optional().describe('The plane of the counts, if it is the worst of both'),
    protocol: protocolSchema
      .optional()
      .describe('The protocol of the counts, if it is the worst of both'),
    p50Ns: nanosecondsSchema.optional().describe('Median round trip in nanoseconds'),
    p99Ns: nanosecondsSchema
      .optional()
      .describe(
        "Largest of the observers' 99th percentiles in nanoseconds: of their paths' last round trips, left out where none has 100 paths; of a target those of the last hour, left out where none has 100 round trips",
      ),
  })
  .meta({ id: 'ZoneCell' });
export type ZoneCell = z.infer<typeof zoneCellSchema>;

/** The body of `GET /v1/matrix?by=zone`, and of a label. */
export const zoneMatrixSchema = z
  .looseObject({
    at: timeSchema,
    ...subject,
    by: z
      .string()
      .optional()
      .describe(
        'Only of a label: its name. Its values are in the place of zones, and empty for nodes without one',
      ),
    zones: z.array(z.string()),
    columns: z
      .array(planeSchema)
      .optional()
      .describe(
        'Only of a target: the planes from which it is probed. The zones are those of rows',
      ),
    cells: z.array(zoneCellSchema),
  })
  .meta({ id: 'ZoneMatrix', description: 'Zones x zones, or values of a label x values of it' });
export type ZoneMatrix = z.infer<typeof zoneMatrixSchema>;

/** The body of `GET /v1/matrix?by=node`. `matrix-bytes.ts` reads and writes the two byte fields. */
export const nodeMatrixSchema = z
  .looseObject({
    at: timeSchema,
    ...subject,
    rows: z.array(nodeNameSchema).describe('The observers, in the order of their names'),
    columns: z
      .array(nodeNameSchema)
      .describe('The probed nodes, in the order of their names. Of a target: the planes'),
    omittedRows: countSchema
      .optional()
      .describe(
        'Observers after the last row that have no room here: rowsAfter asks for them; absent: none',
      ),
    ages: z
      .array(secondsSchema.nullable())
      .describe("Age of each observer's row in seconds; null if it never sent one"),
    stale: z
      .array(z.boolean())
      .describe('Whether the row of each observer is old. Its cells say how it was, not how it is'),
    states: z.string().meta({
      contentEncoding: 'base64',
      description:
        'One byte for each cell, row by row: 0 no report, 1 unknown, 2 reachable, 3 lossy or slow, 4 unreachable, 5 not expected to answer',
    }),
    rtts: z.string().meta({
      contentEncoding: 'base64',
      description:
        'One byte for each cell, row by row: 0 for none, else round(8 * log2(rttNs / 1000)) + 1, limited to 1..255. The RTT is the median of the last 60 probes that were answered and not tainted, of the worst: the longest of such medians',
    }),
  })
  .extend({
    few: z.string().optional().meta({
      contentEncoding: 'base64',
      description:
        'One bit for each cell, row by row, the first in the highest bit: 1 where the RTT is the median of fewer than 20 round trips. Absent: not known',
    }),
    channels: z.string().optional().meta({
      contentEncoding: 'base64',
      description:
        'Only of the worst: one byte for each cell, the sum of the channels that have the state: 1 host ICMP, 2 host HTTP, 4 endpoint ICMP, 8 endpoint HTTP',
    }),
  })
  .meta({ id: 'NodeMatrix', description: 'Observers x nodes' });
export type NodeMatrix = z.infer<typeof nodeMatrixSchema>;
