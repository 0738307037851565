import * as z from 'zod';
import { planeSchema, protocolSchema } from '../../../api/schema/v1/fields.js';
import { historySchema, type HistorySeries } from '../../../api/schema/history.js';
import { nodeInput } from '../node-input.js';
import { fitting } from '../page.js';
import { defineTool, type Tool } from '../tool.js';

/** The last probes of a node's paths. */
export const historyTool: Tool = defineTool({
  name: 'history',
  title: 'The last probes of a node',
  description:
    "The last probes of each path from the agent's node to another one, the oldest first, with losses and percentiles. A tainted probe says nothing of the network: the agent had no CPU time.",
  input: z.strictObject({
    node: nodeInput,
    plane: planeSchema.optional().describe('Only this plane'),
    protocol: protocolSchema.optional().describe('Only this protocol'),
    samples: z.int().min(1).max(100).default(20).describe('The last probes of each path'),
  }),
  output: historySchema.extend({
    omittedPaths: z
      .int()
      .nonnegative()
      .optional()
      .describe('Further addresses of the node, left out for lack of room'),
  }),
  async run({ node, plane, protocol, samples }, client) {
    const history = await client.history(node);
    const cut = (series: HistorySeries) => ({ ...series, samples: series.samples.slice(-samples) });
    const paths = history.paths
      .filter((path) => plane === undefined || path.plane === plane)
      .map(({ icmp, http, ...path }) => ({
        ...path,
        ...(icmp && protocol !== 'http' && { icmp: cut(icmp) }),
        ...(http && protocol !== 'icmp' && { http: cut(http) }),
      }));
    const shown = fitting(paths);
    const omitted = paths.length - shown.length;
    return { ...history, paths: [...shown], ...(omitted > 0 && { omittedPaths: omitted }) };
  },
});
