import * as z from 'zod';
import { isUnknownNode } from '../../../api/client/api-error.js';
import type { Client } from '../../../api/client/client.js';
import { isEventOf, type KnownNode } from '../../../api/schema/v1/event-of-node.js';
import { eventTypes } from '../../../api/schema/v1/event-types.js';
import { streamEventSchema, type StreamEvent } from '../../../api/schema/v1/events.js';
import { fullName } from '../../node-argument.js';
import { nodeInput } from '../node-input.js';
import { fitting } from '../page.js';
import { defineTool, type Tool } from '../tool.js';

/** The last changes, the newest first. */
export const eventsTool: Tool = defineTool({
  name: 'events',
  title: 'What changed',
  description:
    'The last changes that the agent keeps, the newest first: states of paths and targets, findings that opened or closed, nodes that came or went, what changed on hosts.',
  input: z.strictObject({
    node: nodeInput.optional().describe('Only events of this node, as NAME or CLUSTER/NAME'),
    type: z.enum(eventTypes).optional().describe('Only events of this type'),
    limit: z.int().min(1).max(200).default(30).describe('Events on a page'),
    cursor: z
      .string()
      .regex(/^\d{1,16}$/, 'expected the nextCursor of the previous page')
      .optional()
      .describe('The nextCursor of the previous page: events that are older'),
  }),
  output: z.looseObject({
    events: z.array(streamEventSchema),
    nextCursor: z.string().optional().describe('Given as cursor, it asks for older events'),
  }),
  async run({ node, type, limit, cursor = 'Infinity' }, client) {
    const asked = node === undefined ? undefined : await knownNode(client, node);
    const before = Number(cursor);
    const wanted: Numbered[] = [];
    for await (const { event } of client.events({ after: 0, follow: false })) {
      if (!event || !isNumbered(event) || event.id >= before) continue;
      if (type !== undefined && event.type !== type) continue;
      if (asked !== undefined && !isEventOf(event, asked)) continue;
      wanted.push(event);
      // One more than are told says that there are older ones.
      if (wanted.length > limit + 1) wanted.shift();
    }
    const newest = wanted.reverse();
    const events = fitting(newest.slice(0, limit));
    const last = events.at(-1);
    return {
      events: [...events],
      ...(last && newest.length > events.length && { nextCursor: String(last.id) }),
    };
  },
});

/** One that has left the list still has events. */
async function knownNode(client: Client, name: string): Promise<KnownNode> {
  const full = fullName(name, (await client.summary()).node);
  return client.node(full).catch((error: unknown) => {
    if (isUnknownNode(error)) return { name: full };
    throw error;
  });
}

type Numbered = Extract<StreamEvent, { id: number }>;

function isNumbered(event: StreamEvent): event is Numbered {
  return event.type !== 'gap' && event.type !== 'cut';
}
