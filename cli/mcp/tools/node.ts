import * as z from 'zod';
import { isAbout } from '../../../api/schema/v1/finding-subject.js';
import { nodeEntrySchema, nodeVerdictSchema } from '../../../api/schema/v1/nodes.js';
import { timeSchema } from '../../../api/schema/v1/fields.js';
import type { GuideSection } from '../guide.js';
import { nodeInput, zoneInput } from '../node-input.js';
import { fitting } from '../page.js';
import { defineTool, ToolError, type Tool } from '../tool.js';
import { withoutAbsent } from '../without-absent.js';
import { shortFinding, shortFindingSchema } from './diagnose.js';

const maxFindings = 5;

/** One node in full, or the nodes in pages. */
export function nodeTool(guide: readonly GuideSection[]): Tool {
  return defineTool({
    name: 'node',
    title: 'One node, or the nodes',
    description:
      "With a name: all that is known of one node (its paths from the agent's node, who else reaches it, its findings). Without: the nodes with their verdicts, in pages, by state, zone or a part of the name.",
    input: z.strictObject({
      node: nodeInput.optional(),
      state: nodeVerdictSchema.optional().describe('Only nodes with this verdict'),
      zone: zoneInput.optional().describe('Only nodes of this zone; empty: those without a zone'),
      contains: nodeInput.optional().describe('Only nodes whose full name contains this text'),
      limit: z.int().min(1).max(100).default(20).describe('Nodes on a page'),
      cursor: z.string().max(1000).optional().describe('The nextCursor of the previous page'),
    }),
    output: z.looseObject({
      at: timeSchema.optional(),
      nodes: z.array(nodeEntrySchema),
      findings: z
        .array(shortFindingSchema)
        .optional()
        .describe('Those about the node, the worst first; only with a name'),
      omittedFindings: z.int().nonnegative().optional().describe('More of them'),
      nextCursor: z.string().optional().describe('Given as cursor, it asks for the next page'),
    }),
    async run({ node, contains, limit, ...filter }, client) {
      if (node === undefined) {
        const query = { ...filter, ...(contains !== undefined && { name: contains }) };
        const { at, nodes, nextCursor } = await client.nodes(withoutAbsent({ ...query, limit }));
        const shown = fitting(nodes);
        // A cursor of the agent stands at the end of its page, so a shorter page is asked for again.
        if (shown.length === nodes.length) return { at, nodes, nextCursor };
        const page = await client.nodes(withoutAbsent({ ...query, limit: shown.length }));
        return { at: page.at, nodes: page.nodes, nextCursor: page.nextCursor };
      }
      const others = Object.entries({ ...filter, contains }).filter(
        ([, value]) => value !== undefined,
      );
      if (others.length > 0) {
        const names = others.map(([name]) => name).join(', ');
        throw new ToolError(`node: expected alone, got it together with ${names}`);
      }
      const [entry, { at, findings }] = await Promise.all([client.node(node), client.findings()]);
      const about = findings.filter((finding) => isAbout(finding, entry));
      const omitted = about.length - maxFindings;
      return {
        at,
        nodes: [entry],
        findings: about.slice(0, maxFindings).map((finding) => shortFinding(finding, guide)),
        ...(omitted > 0 && { omittedFindings: omitted }),
      };
    },
  });
}
