import * as z from 'zod';
import { eventTypes, type EventType } from './event-types.js';
import { planes, protocols } from './fields.js';
import { maxLabelLength, maxNameLength } from './name-length.js';
import { textOf } from './text-length.js';
import { nodeVerdicts } from './node-verdicts.js';

// The message of each check says what was expected. `read-query.ts` adds what was got.

export const maxNodes = 1000;

/** A whole number in digits. `Number` alone would also accept `1e3` and ` 5`. */
function wholeNumber(min: number, max: number) {
  const expected = `expected a whole number from ${min} to ${max}`;
  return z.preprocess(
    (text) => (typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : text),
    z.int(expected).min(min, expected).max(max, expected),
  );
}

/** The text `after:` and a name, both as base64url. */
const cursorPattern = /^YWZ0ZXI6[A-Za-z0-9_-]+$/;

const zoneName = textOf(0, maxNameLength, 'expected the name of a zone');
const nodeName = textOf(1, maxNameLength, `expected a name of 1 to ${maxNameLength} characters`);

const byName = textOf(1, maxLabelLength, 'expected zone, node, or the name of a label');
const byWords =
  'Rows and columns are zones, nodes, or the values of this label: one of `groupBy` of /v1/summary';

const matrixQueryObject = z.strictObject({
  by: byName.default('zone').describe(byWords),
  plane: z
    .enum([...planes, 'worst'])
    .default('host')
    .describe('worst: of each pair the plane on which it is worst'),
  protocol: z
    .enum([...protocols, 'worst'])
    .default('icmp')
    .describe('worst: of each pair the protocol by which it is worst'),
  zone: zoneName.optional().describe('Only nodes of this zone; only with by=node'),
  toZone: zoneName
    .optional()
    .describe('The columns are the nodes of this zone, the rows are those of zone; only with zone'),
  nodes: z
    .string()
    .min(1, 'expected names')
    .transform((names) => names.split(',').filter((name) => name !== ''))
    .optional()
    .describe(
      'Only these nodes, as NAME or CLUSTER/NAME, with commas between them, those that are not known left out; only with by=node',
    ),
  rowsAfter: nodeName
    .optional()
    .describe('Only observers whose names come after this one; only with by=node'),
});

/** The query of `GET /v1/matrix`. */
export const matrixQuerySchema = matrixQueryObject.superRefine(
  ({ by, zone, toZone, nodes, rowsAfter }, context) => {
    if (toZone !== undefined && zone === undefined) {
      const message = 'expected only together with zone';
      context.addIssue({ code: 'custom', path: ['toZone'], message });
    }
    if (by === 'node') return;
    for (const [name, value] of Object.entries({ zone, nodes, rowsAfter })) {
      if (value === undefined) continue;
      const message = 'expected only together with by=node';
      context.addIssue({ code: 'custom', path: [name], message });
      return;
    }
  },
);
export type MatrixQuery = z.infer<typeof matrixQuerySchema>;

const notWithTarget = z.never('expected without target, whose matrix has both planes').optional();

/** The parameters of `GET /v1/matrix?target=NAME`. */
export const targetMatrixParameters = z.strictObject({
  target: nodeName.describe('The observers and this target, instead of the nodes'),
  by: z
    .enum(['zone', 'node'])
    .default('zone')
    .describe('Whether rows are the zones or nodes of the observers'),
  zone: zoneName.optional().describe('Only observers of this zone; only with by=node'),
  nodes: matrixQueryObject.shape.nodes,
});
export type TargetMatrixQuery = z.infer<typeof targetMatrixParameters>;

/** Its query. */
export const targetMatrixQuerySchema = targetMatrixParameters
  .extend({
    plane: notWithTarget,
    protocol: notWithTarget,
    toZone: notWithTarget,
    rowsAfter: notWithTarget,
  })
  .superRefine(({ by, zone, nodes }, context) => {
    if (by === 'node') return;
    for (const [name, value] of Object.entries({ zone, nodes })) {
      if (value === undefined) continue;
      const message = 'expected only together with by=node';
      context.addIssue({ code: 'custom', path: [name], message });
      return;
    }
  });

const { plane, protocol, zone, toZone, nodes, rowsAfter } = matrixQueryObject.shape;
const targetBy = targetMatrixParameters.shape.by.description ?? '';
const byNode = {
  by: z.literal('node').describe(byWords),
  plane,
  protocol,
  nodes,
  rowsAfter,
};

/**
 * The same for an OpenAPI document, which has no words for a parameter that needs another one: one
 * object for each set of parameters that are allowed together.
 */
export const matrixQueryForms = z.union([
  z.strictObject({
    by: z.literal('zone').optional().describe(byWords),
    plane,
    protocol,
  }),
  z.strictObject({ ...byNode, zone }),
  z.strictObject({
    ...byNode,
    zone: zone.unwrap().describe(zone.description ?? ''),
    toZone: toZone.unwrap().describe(toZone.description ?? ''),
  }),
  z.strictObject({
    target: targetMatrixParameters.shape.target,
    by: z.literal('zone').optional().describe(targetBy),
  }),
  z.strictObject({
    target: targetMatrixParameters.shape.target,
    by: z.literal('node').describe(targetBy),
    zone: targetMatrixParameters.shape.zone,
    nodes,
  }),
]);

/** The query of `GET /v1/nodes`. */
export const nodesQuerySchema = z.strictObject({
  state: z.enum(nodeVerdicts).optional().describe('Only nodes with this verdict'),
  zone: zoneName.optional().describe('Only nodes of this zone; empty: those without a zone'),
  name: nodeName.optional().describe('Only nodes whose full name contains this text'),
  shows: z
    .enum(['signs', 'changes'])
    .optional()
    .describe(
      'Only nodes whose host shows signs, or tells of changes in the last hour; entries then have `signs` and `changes`',
    ),
  limit: wholeNumber(1, maxNodes).optional().describe('Nodes on a page; 1000 if absent'),
  cursor: z
    .string()
    .regex(cursorPattern, 'expected the nextCursor of the previous page')
    .optional()
    .describe('The nextCursor of the previous page'),
});
export type NodesQuery = z.infer<typeof nodesQuerySchema>;

const anyType = eventTypes.join('|');

/** The query of `GET /v1/events`. */
export const eventsQuerySchema = z.strictObject({
  after: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('Only events with a higher id; 0: all events that are kept; absent: only new events'),
  follow: z
    .enum(['true', 'false'])
    .default('true')
    .describe('false: end after the events that are kept'),
  keepAlive: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true: an empty line after two seconds without an event, where each event is a line'),
  type: z
    .string()
    .regex(
      new RegExp(`^(${anyType})(,(${anyType})){0,${eventTypes.length - 1}}$`),
      `expected ${eventTypes.join(', ')}, or several with commas between them`,
    )
    .transform((types) => types.split(',') as EventType[])
    .optional()
    .describe('Only events of these types, with commas between them; absent: of all'),
});
export type EventsQuery = z.infer<typeof eventsQuerySchema>;

/** The query of a path that takes no parameters. */
export const noQuerySchema = z.strictObject({});
