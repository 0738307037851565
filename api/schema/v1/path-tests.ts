import * as z from 'zod';
import {
  countSchema,
  nanosecondsSchema,
  nodeNameSchema,
  planeSchema,
  protocolSchema,
} from './fields.js';
import { maxNameLength } from './name-length.js';

/** The tests of one path that are made on demand. */
export const pathTestNames = ['trace', 'mtu', 'flows'] as const;
export type PathTestName = (typeof pathTestNames)[number];

/** The body of `POST /v1/trace`, `/v1/mtu` and `/v1/flows`. */
export const pathTestRequestSchema = z.strictObject({
  node: z
    .string()
    .min(1)
    .max(maxNameLength)
    .describe('CLUSTER/NAME, or NAME in the cluster of the agent'),
  plane: planeSchema.default('host'),
  protocol: protocolSchema
    .optional()
    .describe('trace: icmp (if absent) or http, which is TCP; mtu: icmp; flows: http'),
});
export type PathTestRequest = z.infer<typeof pathTestRequestSchema>;

const addressSchema = z.string().describe('IP address');
const packetBytesSchema = z.int().nonnegative().max(65_535).describe('Bytes of a whole IP packet');
const portSchema = z.int().min(1).max(65_535);
const maxFlows = 64;

const routerWordSchema = z.looseObject({
  address: addressSchema,
  bytes: countSchema.describe('The MTU that it named'),
});
/** A router that said that a packet is too big, and the MTU that it named. */
export type RouterWord = z.infer<typeof routerWordSchema>;

const beginSchema = z
  .looseObject({
    type: z.literal('begin'),
    test: z.enum(pathTestNames),
    node: nodeNameSchema,
    plane: planeSchema,
    protocol: protocolSchema,
    address: addressSchema,
  })
  .meta({ id: 'PathTestBegin', description: 'The first line: what is tested' });
export type PathTestBegin = z.infer<typeof beginSchema>;

const errorSchema = z
  .looseObject({ type: z.literal('error'), text: z.string() })
  .meta({ id: 'PathTestError', description: 'The last line of a test that could not be made' });

const hopSchema = z
  .looseObject({
    type: z.literal('hop'),
    ttl: z.int().min(1).max(255),
    address: addressSchema.optional().describe('Absent: nobody answered'),
    rttNs: nanosecondsSchema.optional(),
    tries: countSchema.describe('How many packets were sent with this TTL'),
    says: z.string().max(200).optional().describe('What the answer says beside "TTL exceeded"'),
  })
  .meta({ id: 'Hop', description: 'One hop, in the order of the TTLs' });
export type Hop = z.infer<typeof hopSchema>;

const traceEndSchema = z
  .looseObject({
    type: z.literal('end'),
    isReached: z.boolean().describe('The address that was traced answered itself'),
    lastAnswering: z.looseObject({ ttl: z.int(), address: addressSchema }).optional(),
    triedTtl: countSchema.describe('The largest TTL that was tried'),
  })
  .meta({ id: 'TraceEnd', description: 'The last line of a trace' });

const echoSchema = z
  .looseObject({
    type: z.literal('echo'),
    bytes: packetBytesSchema,
    result: z.enum(['answered', 'lost', 'too-big']),
    rttNs: nanosecondsSchema.optional(),
    router: routerWordSchema.optional().describe('Who said that the packet is too big'),
  })
  .meta({ id: 'MtuEcho', description: 'One packet and what became of it' });

const mtuEndSchema = z
  .looseObject({
    type: z.literal('end'),
    result: z
      .enum(['fits', 'limited', 'unanswered'])
      .describe('unanswered: even small packets are, which says nothing of large ones'),
    interfaceBytes: countSchema.optional().describe('The largest packet that the interface takes'),
    kernelBytes: countSchema.optional().describe('What the kernel believes that the path takes'),
    largestBytes: packetBytesSchema.optional().describe('The largest packet that was answered'),
    smallestLostBytes: packetBytesSchema
      .optional()
      .describe('The smallest larger one that was not'),
    saidBy: routerWordSchema
      .optional()
      .describe('The router that named this limit. Absent: larger packets vanish'),
    untrue: routerWordSchema.optional().describe('A router that named less than what passes'),
    packets: countSchema.describe('How many packets were sent'),
  })
  .meta({ id: 'MtuEnd', description: 'The last line of a search for the largest packet' });

const roundSchema = z
  .looseObject({
    type: z.literal('round'),
    round: countSchema,
    rounds: countSchema,
    tried: countSchema,
    failing: z.array(portSchema).max(maxFlows).describe('Source ports whose SYN was not answered'),
  })
  .meta({ id: 'FlowsRound', description: 'One SYN from each source port' });

/** What a test of flows comes to. */
export const flowsResult = {
  result: z
    .enum(['passing', 'sticky', 'lossy', 'failing'])
    .describe(
      'sticky: some flows never pass and the others do; lossy: packets of any flow are lost',
    ),
  tried: countSchema,
  failing: countSchema.describe('Flows that failed each time'),
  ports: z.array(portSchema).max(maxFlows).describe('Their source ports'),
  sometimes: countSchema.describe('Flows that failed once or twice'),
};

const flowsEndSchema = z
  .looseObject({
    type: z.literal('end'),
    ...flowsResult,
  })
  .meta({ id: 'FlowsEnd', description: 'The last line of a test of flows' });

const traceLineSchema = z.discriminatedUnion('type', [
  beginSchema,
  hopSchema,
  traceEndSchema,
  errorSchema,
]);
const mtuLineSchema = z.discriminatedUnion('type', [
  beginSchema,
  echoSchema,
  mtuEndSchema,
  errorSchema,
]);
const flowsLineSchema = z.discriminatedUnion('type', [
  beginSchema,
  roundSchema,
  flowsEndSchema,
  errorSchema,
]);
export type TraceLine = z.infer<typeof traceLineSchema>;
export type MtuLine = z.infer<typeof mtuLineSchema>;
export type FlowsLine = z.infer<typeof flowsLineSchema>;

/** The lines of each test. */
export interface PathTestLines {
  readonly trace: TraceLine;
  readonly mtu: MtuLine;
  readonly flows: FlowsLine;
}
export type PathTestLine = PathTestLines[PathTestName];

/** The schema of one line of each test. */
export const pathTestLineSchemas: {
  readonly [Test in PathTestName]: z.ZodType<PathTestLines[Test]>;
} = { trace: traceLineSchema, mtu: mtuLineSchema, flows: flowsLineSchema };
