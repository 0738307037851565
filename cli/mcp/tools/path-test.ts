import * as z from 'zod';
import {
  pathTestLineSchemas,
  type PathTestLine,
  type PathTestName,
} from '../../../api/schema/v1/path-tests.js';
import { planeSchema } from '../../../api/schema/v1/fields.js';
import { nodeInput } from '../node-input.js';
import { defineTool, ToolError, type Tool } from '../tool.js';

const words: Readonly<Record<PathTestName, { title: string; description: string }>> = {
  trace: {
    title: 'The hops to a node, now',
    description:
      'Sends packets: traces the routers on the way to a node, up to three tries a hop. A router need not answer.',
  },
  mtu: {
    title: 'The largest packet to a node, now',
    description:
      'Sends packets: searches the largest IP packet that passes to a node and back, and the router that says so.',
  },
  flows: {
    title: 'Whether all flows pass, now',
    description:
      'Sends packets: SYNs from 64 source ports, three times. Tells flows that never pass beside others that do.',
  },
};

/** A test of one path, which sends packets of its own. */
export function pathTestTool(test: PathTestName): Tool {
  return defineTool({
    name: test,
    ...words[test],
    sendsPackets: true,
    input: z.strictObject({
      node: nodeInput,
      plane: planeSchema.default('host'),
      ...(test === 'trace' && {
        tcp: z
          .boolean()
          .default(false)
          .describe('By TCP to the probe port, as a GET goes, and not by ICMP echo'),
      }),
    }),
    output: z.looseObject({
      lines: z.array(pathTestLineSchemas[test]).describe('What the test said, in its order'),
    }),
    async run({ node, plane, tcp }, client) {
      const request = { node, plane, ...(tcp === true && { protocol: 'http' as const }) };
      const lines: PathTestLine[] = [];
      for await (const { line } of client.testPath(test, request)) {
        if (line?.type === 'error') throw new ToolError(line.text);
        if (line) lines.push(line);
      }
      return { lines };
    },
  });
}
