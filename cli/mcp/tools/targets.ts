import * as z from 'zod';
import { timeSchema } from '../../../api/schema/v1/fields.js';
import { targetSchema, type TargetBody } from '../../../api/schema/v1/targets.js';
import { pageInput, pageOf, pageOutput } from '../page.js';
import { defineTool, type Tool } from '../tool.js';

/** Nodes that do not reach a target, told in a list of several targets. */
const maxNotFrom = 5;

/** What the cluster lives on. */
export const targetsTool: Tool = defineTool({
  name: 'targets',
  title: 'What the cluster lives on',
  description:
    'DNS, API server, services and own targets: who reaches each, from the host and from the pod network. With a name all that is known of one.',
  input: z.strictObject({
    target: z.string().min(1).max(63).optional().describe('Only this target, in full'),
    ...pageInput(16, 16),
  }),
  output: z.looseObject({ at: timeSchema, targets: z.array(targetSchema), ...pageOutput }),
  async run({ target, ...asked }, client) {
    if (target !== undefined) {
      const { at, ...body } = await client.target(target);
      return { at, targets: [body as Target], total: 1 };
    }
    const { at, targets } = await client.targets();
    const { items, ...page } = pageOf(targets.map(shortTarget), asked);
    return { at, targets: [...items], ...page };
  },
});

type Target = z.input<typeof targetSchema>;

function shortTarget(target: TargetBody): Target {
  const planes = Object.entries(target.planes).map(([name, plane]) => [
    name,
    plane && typeof plane === 'object' && 'notFrom' in plane && Array.isArray(plane.notFrom)
      ? { ...plane, notFrom: plane.notFrom.slice(0, maxNotFrom) }
      : plane,
  ]);
  return { ...target, planes: Object.fromEntries(planes) as Target['planes'] };
}
