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
const subject = { plane: planeSchema.optional(), protocol: protocolSchema.optional() };

export const zoneCellSchema = z
  .looseObject({
    from: z.string().describe('Zone of the observers; empty for nodes without a zone'),
    to: z.string().describe('Zone of the probed nodes; empty for nodes without a zone'),
    pairs: countSchema.describe('All pairs of nodes, also those of which nothing is known'),
    failing: countSchema,
    degraded: countSchema,
    unknown: countSchema,
    p50Ns: nanosecondsSchema.optional().describe('Median round trip in nanoseconds'),
    p99Ns: nanosecondsSchema.optional().describe('99th percentile of round trips in nanoseconds'),
  })
  .meta({ id: 'ZoneCell' });
export type ZoneCell = z.infer<typeof zoneCellSchema>;

/** The body of `GET /v1/matrix?by=zone`. */
export const zoneMatrixSchema = z
  .looseObject({
    at: timeSchema,
    ...subject,
    zones: z.array(z.string()),
    cells: z.array(zoneCellSchema),
  })
  .meta({ id: 'ZoneMatrix', description: 'Zones x zones' });
export type ZoneMatrix = z.infer<typeof zoneMatrixSchema>;

/** The body of `GET /v1/matrix?by=node`. `matrix-bytes.ts` reads and writes the two byte fields. */
export const nodeMatrixSchema = z
  .looseObject({
    at: timeSchema,
    ...subject,
    rows: z.array(nodeNameSchema).describe('The observers'),
    columns: z.array(nodeNameSchema).describe('The probed nodes'),
    ages: z
      .array(secondsSchema.nullable())
      .describe("Age of each observer's row in seconds; null if it never sent one"),
    states: z.string().meta({
      contentEncoding: 'base64',
      description:
        'One byte for each cell, row by row: 0 no report, 1 unknown, 2 reachable, 3 degraded, 4 unreachable, 5 not expected to answer',
    }),
    rtts: z.string().meta({
      contentEncoding: 'base64',
      description:
        'One byte for each cell, row by row: 0 for none, else round(8 * log2(rttNs / 1000)) + 1, limited to 1..255',
    }),
  })
  .meta({ id: 'NodeMatrix', description: 'Observers x nodes' });
export type NodeMatrix = z.infer<typeof nodeMatrixSchema>;
