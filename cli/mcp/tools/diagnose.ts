import * as z from 'zod';
import { isAbout, isOfCluster } from '../../../api/schema/v1/finding-subject.js';
import { findingSchema, findingsSchema, type Finding } from '../../../api/schema/v1/findings.js';
import { summarySchema } from '../../../api/schema/v1/summary.js';
import type { GuideSection } from '../guide.js';
import { nodeInput } from '../node-input.js';
import { pageInput, pageOf, pageOutput } from '../page.js';
import { defineTool, type Tool } from '../tool.js';

/** Failing paths that are told of each finding. */
const maxEvidence = 3;

/** A finding with less evidence, and where its explanation is. */
export const shortFindingSchema = findingSchema.extend({
  explanation: z
    .string()
    .optional()
    .describe('The resource that says what this kind of finding means and what to do'),
});
export type ShortFinding = z.input<typeof shortFindingSchema>;

const { node, at, verdict, reason, nodes, observers } = summarySchema.shape;
const { unexplained, unexplainedTargets } = findingsSchema.shape;

/** What is broken, as `meshprobe diagnose` says it. */
export function diagnoseTool(guide: readonly GuideSection[]): Tool {
  return defineTool({
    name: 'diagnose',
    title: 'What is broken',
    description:
      'The findings of the cluster or of one node, the worst first: what is broken, since when, who sees it, and the next command to run. Begin here.',
    input: z.strictObject({
      node: nodeInput.optional().describe('Only what concerns this node, as NAME or CLUSTER/NAME'),
      ...pageInput(10, 64),
    }),
    output: z.looseObject({
      node,
      at,
      verdict,
      reason,
      nodes,
      observers,
      findings: z.array(shortFindingSchema),
      unexplained,
      unexplainedTargets,
      ...pageOutput,
    }),
    async run({ node: name, ...asked }, client) {
      const [summary, all, entry] = await Promise.all([
        client.summary(),
        client.findings(),
        name === undefined ? undefined : client.node(name),
      ]);
      const isAsked = (finding: Finding) =>
        !entry || isAbout(finding, entry) || isOfCluster(finding);
      const found = all.findings.filter(isAsked).map((finding) => shortFinding(finding, guide));
      const { items, ...page } = pageOf(found, asked);
      return {
        node: summary.node,
        at: summary.at,
        verdict: summary.verdict,
        reason: summary.reason,
        nodes: summary.nodes,
        observers: summary.observers,
        findings: [...items],
        unexplained: all.unexplained,
        unexplainedTargets: all.unexplainedTargets,
        ...page,
      };
    },
  });
}

/** A finding with its first witnesses alone, and the address of its explanation. */
export function shortFinding(finding: Finding, guide: readonly GuideSection[]): ShortFinding {
  const { evidence, looks, ...rest } = finding;
  const section = guide.find(({ anchor }) => anchor === finding.kind);
  const short = {
    ...rest,
    evidence: evidence.slice(0, maxEvidence),
    ...(looks && { looks: looks.slice(0, maxEvidence) }),
    ...(section && { explanation: section.uri }),
  };
  // The API's types are read-only all the way down, and nothing here writes.
  return short as ShortFinding;
}
