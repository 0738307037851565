import * as z from 'zod';
import { lifecycleSchema } from '../status.js';
import {
  countSchema,
  knownSchema,
  nodeNameSchema,
  pathStateSchema,
  planeSchema,
  protocolSchema,
  timeSchema,
} from './fields.js';
import { findingKindSchema, findingSchema, severitySchema } from './findings.js';
import { hostChanges } from './host-changes.js';
import { hostChangeFields } from './host.js';

const stamp = {
  id: z.int().nonnegative().describe('Increases with each event of an agent'),
  at: timeSchema,
};

export const pathEventSchema = z
  .looseObject({
    ...stamp,
    type: z.literal('path'),
    node: nodeNameSchema,
    plane: planeSchema,
    protocol: protocolSchema,
    address: z.string().describe('IP address of the path'),
    previousState: pathStateSchema,
    state: pathStateSchema,
    failure: z.string().optional().describe('The last failure in words'),
  })
  .meta({ id: 'PathEvent', description: 'The state of a path of this agent changed' });

const { node, pair, zones, group, groups, count, examples } = findingSchema.shape;
/** What a finding is about, as the finding itself says it. */
const findingSubject = { node, pair, zones, group, groups, count, examples };

export const findingEventSchema = z
  .looseObject({
    ...stamp,
    type: z.literal('finding'),
    change: z.enum(['opened', 'changed', 'closed']),
    finding: z.string().describe('The id of the finding'),
    kind: findingKindSchema,
    severity: severitySchema,
    ...findingSubject,
    text: z.string(),
    reason: z
      .string()
      .optional()
      .describe(
        'Why it closed, if it was not mended: `no longer watched`, as its target or its node was taken out',
      ),
  })
  .meta({ id: 'FindingEvent', description: 'A finding opened, changed or closed' });

export const nodeEventSchema = z
  .looseObject({
    ...stamp,
    type: z.literal('node'),
    change: z.enum(['added', 'changed', 'removed']),
    node: nodeNameSchema,
    lifecycle: lifecycleSchema.optional(),
    known: knownSchema.optional(),
  })
  .meta({ id: 'NodeEvent', description: 'A node came, changed or went' });

export const listEventSchema = z
  .looseObject({
    ...stamp,
    type: z.literal('list'),
    nodes: countSchema.describe('Nodes in the list'),
    added: countSchema,
    removed: countSchema,
  })
  .meta({ id: 'ListEvent', description: 'The node list was received' });

export const targetEventSchema = z
  .looseObject({
    ...stamp,
    type: z.literal('target'),
    target: z.string().describe('The name of the target'),
    plane: planeSchema,
    previousState: pathStateSchema,
    state: pathStateSchema,
    failure: z.string().optional().describe('The last failure in words'),
  })
  .meta({ id: 'TargetEvent', description: 'The state of a target of this agent changed' });

export const hopsEventSchema = z
  .looseObject({
    ...stamp,
    type: z.literal('hops'),
    node: nodeNameSchema,
    plane: planeSchema,
    address: z.string().describe('IP address of the path'),
    previousHops: countSchema,
    hops: countSchema,
  })
  .meta({
    id: 'HopsEvent',
    description: 'The replies of a path came back by another number of hops, three times in a row',
  });

const { at: foundAt, change, ...changed } = hostChangeFields;

export const hostChangeEventSchema = z
  .looseObject({
    ...stamp,
    type: z.literal('change'),
    node: nodeNameSchema,
    foundAt,
    change: change.meta({
      description: `One of ${hostChanges.join(', ')}, or left-out: so many more changes of the node became no event (see \`text\`), as it told more than 16 at once and one a minute; a reader treats any other as \`other\``,
      examples: [...hostChanges, 'left-out'],
    }),
    ...changed,
    withinSeconds: countSchema.describe('It was made at most so many seconds before `foundAt`'),
  })
  .meta({
    id: 'HostChangeEvent',
    description: 'Something changed on the host of a node; `at` is when this agent learned of it',
  });

/** One change that the agent keeps. */
export const changeEventSchema = z.discriminatedUnion('type', [
  pathEventSchema,
  findingEventSchema,
  nodeEventSchema,
  listEventSchema,
  targetEventSchema,
  hopsEventSchema,
  hostChangeEventSchema,
]);
export type PathEvent = z.infer<typeof pathEventSchema>;
export type FindingEvent = z.infer<typeof findingEventSchema>;
export type NodeEvent = z.infer<typeof nodeEventSchema>;
export type ListEvent = z.infer<typeof listEventSchema>;
export type TargetEvent = z.infer<typeof targetEventSchema>;
export type HopsEvent = z.infer<typeof hopsEventSchema>;
export type HostChangeEvent = z.infer<typeof hostChangeEventSchema>;
export type ChangeEvent = z.infer<typeof changeEventSchema>;

export const gapEventSchema = z
  .looseObject({ type: z.literal('gap') })
  .meta({ id: 'GapEvent', description: 'Events before the next one are no longer kept' });

export const cutEventSchema = z
  .looseObject({ type: z.literal('cut'), lastId: z.int().nonnegative() })
  .meta({
    id: 'CutEvent',
    description: 'The reader was too slow and is disconnected; it may resume after `lastId`',
  });

/** The content of one line of NDJSON, or of one `data` of `text/event-stream`. */
export const streamEventSchema = z
  .discriminatedUnion('type', [
    pathEventSchema,
    findingEventSchema,
    nodeEventSchema,
    listEventSchema,
    targetEventSchema,
    hopsEventSchema,
    hostChangeEventSchema,
    gapEventSchema,
    cutEventSchema,
  ])
  .meta({ id: 'StreamEvent' });
export type StreamEvent = z.infer<typeof streamEventSchema>;
