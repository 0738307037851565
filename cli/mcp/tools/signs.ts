import * as z from 'zod';
import { observersSchema, nodeNameSchema, timeSchema } from '../../../api/schema/v1/fields.js';
import { changeSchema, signSchema } from '../../../api/schema/v1/host.js';
import type { NodeEntry } from '../../../api/schema/v1/nodes.js';
import type { GuideSection } from '../guide.js';
import { nodeInput } from '../node-input.js';
import { fitting } from '../page.js';
import { defineTool, ToolError, type Tool } from '../tool.js';
import { withoutAbsent } from '../without-absent.js';

/** What the hosts of nodes show of themselves, and what changed on them. */
export function signsTool(guide: readonly GuideSection[]): Tool {
  const explanation = guide.find(({ anchor }) => anchor === 'host-sign')?.uri;
  return defineTool({
    name: 'signs',
    title: 'What hosts show, and what changed on them',
    description:
      'Counters and tables of hosts that are bad by a stated rule (a full conntrack table, dropped packets, a link that comes and goes), and what changed on hosts in the last hour (MTU, addresses, routes, restarts). A sign is no cause: compare its time with that of a finding. Without a node: the hosts that show signs, or with about=changes those that changed.',
    input: z.strictObject({
      node: nodeInput.optional(),
      about: z
        .enum(['signs', 'changes'])
        .optional()
        .describe('Which hosts are listed: those with signs (default), or those with changes'),
      limit: z.int().min(1).max(100).default(20).describe('Hosts on a page'),
      cursor: z.string().max(1000).optional().describe('The nextCursor of the previous page'),
    }),
    output: z.looseObject({
      at: timeSchema,
      observers: observersSchema.describe(
        'The other hosts: nothing is known of now of those that are stale, and nothing at all of those that are silent',
      ),
      hosts: z
        .array(
          z.looseObject({
            node: nodeNameSchema,
            signs: z.array(signSchema).optional(),
            changes: z.array(changeSchema).optional(),
          }),
        )
        .describe('In the order of their names'),
      explanation: z.string().optional().describe('The resource with what each sign means'),
      nextCursor: z.string().optional().describe('Given as cursor, it asks for the next page'),
    }),
    async run({ node, about, limit, cursor }, client) {
      const { at, observers } = await client.summary();
      const common = { at, observers, ...(explanation !== undefined && { explanation }) };
      if (node !== undefined) {
        if (about !== undefined || cursor !== undefined) {
          const other = about === undefined ? 'cursor' : 'about';
          throw new ToolError(`node: expected alone, got it together with ${other}`);
        }
        return { ...common, hosts: [hostOf(await client.node(node))] };
      }
      const query = withoutAbsent({ shows: about ?? ('signs' as const), cursor });
      const page = await client.nodes({ ...query, limit });
      const hosts = fitting(page.nodes.map(hostOf));
      if (hosts.length === page.nodes.length)
        return { ...common, hosts: [...hosts], nextCursor: page.nextCursor };
      // A cursor of the agent stands at the end of its page, so a shorter page is asked for again.
      const { nodes, nextCursor } = await client.nodes({ ...query, limit: hosts.length });
      return { ...common, hosts: nodes.map(hostOf), nextCursor };
    },
  });
}

function hostOf({ name, signs, changes }: NodeEntry) {
  return { node: name, ...(signs && { signs }), ...(changes && { changes }) };
}
