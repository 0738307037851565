import * as z from 'zod';
import { countSchema, nodeNameSchema, planeSchema, secondsSchema, timeSchema } from './fields.js';
import { maxNameLength } from './name-length.js';
import { keptThroughputTests, throughputLimits } from './throughput-limits.js';

const { seconds, bytes, streams } = throughputLimits;

/** The body of `POST /v1/throughput`. */
export const throughputRequestSchema = z.strictObject({
  node: z
    .string()
    .min(1)
    .max(maxNameLength)
    .describe('CLUSTER/NAME, or NAME in the cluster of the agent'),
  plane: z
    .enum(['host', 'endpoint', 'both'])
    .default('both')
    .describe('both: the host plane, then the endpoint plane if the node has an endpoint'),
  seconds: z
    .number()
    .min(seconds.min)
    .max(seconds.max)
    .default(seconds.standard)
    .describe('At most so long for each direction on each plane'),
  bytes: z
    .int()
    .min(bytes.min)
    .max(bytes.max)
    .default(bytes.standard)
    .describe('At most so many for each direction on each plane'),
  streams: z
    .int()
    .min(streams.min)
    .max(streams.max)
    .default(streams.standard)
    .describe('TCP connections at the same time'),
});
export type ThroughputRequest = z.infer<typeof throughputRequestSchema>;

const directionFields = {
  plane: planeSchema,
  address: z.string().describe('IP address of the node on that plane'),
  direction: z.enum(['to', 'from']).describe('to the node, or from it'),
  bytes: countSchema.describe('What the receiver got'),
  seconds: secondsSchema.describe('From its first byte on'),
  bitsPerSecond: countSchema,
  isTooShort: z
    .boolean()
    .optional()
    .describe(
      'All of it came within 20 ms, so the rate is that of buffers: ask for more bytes or time',
    ),
  endedBy: z.enum(['bytes', 'seconds']).describe('Which of the two limits was reached'),
  retransmissions: countSchema
    .optional()
    .describe('Segments that the sender sent again. Absent: its kernel does not tell'),
};
const directionSchema = z
  .looseObject(directionFields)
  .meta({ id: 'ThroughputDirection', description: 'One direction on one plane' });
export type ThroughputDirection = z.infer<typeof directionSchema>;

const ratio = z.number().nonnegative();
const ratioFields = {
  endpointToHost: z
    .looseObject({ to: ratio, from: ratio })
    .optional()
    .describe(
      'Rate on the endpoint plane by that on the host plane, where both were measured for long enough',
    ),
};

const agreedFields = {
  seconds: secondsSchema.describe('The limit for each direction on each plane'),
  bytes: countSchema.describe('The limit for each direction on each plane'),
  streams: countSchema,
};

/** One line of a test. */
export const throughputLineSchema = z.discriminatedUnion('type', [
  z
    .looseObject({
      type: z.literal('begin'),
      test: z.literal('throughput'),
      node: nodeNameSchema,
      planes: z.array(planeSchema),
      ...agreedFields,
    })
    .meta({ id: 'ThroughputBegin', description: 'The first line: what is measured' }),
  z
    .looseObject({ type: z.literal('direction'), ...directionFields })
    .meta({ id: 'ThroughputMeasured', description: 'One direction on one plane, as it is known' }),
  z
    .looseObject({ type: z.literal('end'), ...ratioFields })
    .meta({ id: 'ThroughputEnd', description: 'The last line' }),
  z
    .looseObject({ type: z.literal('error'), text: z.string() })
    .meta({ id: 'ThroughputError', description: 'The last line of a test that went wrong' }),
]);
export type ThroughputLine = z.infer<typeof throughputLineSchema>;

const testSchema = z
  .looseObject({
    at: timeSchema.describe('When it began (RFC 3339)'),
    node: nodeNameSchema,
    ...agreedFields,
    directions: z.array(directionSchema).max(4),
    ...ratioFields,
    error: z.string().optional().describe('Why it did not go on'),
  })
  .meta({ id: 'ThroughputTest', description: 'One test that this agent made' });
export type ThroughputTest = z.infer<typeof testSchema>;

/** The body of `GET /v1/throughput`. */
export const throughputTestsSchema = z
  .looseObject({
    at: timeSchema,
    tests: z.array(testSchema).max(keptThroughputTests).describe('The newest first'),
  })
  .meta({
    id: 'ThroughputTests',
    description: 'The last throughput tests that this agent was asked for',
  });
export type ThroughputTests = z.infer<typeof throughputTestsSchema>;
