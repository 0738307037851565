import { mostNotProbed } from '../../../api/schema/v1/check-limits.js';
import type { AgentPart, Check, LeftOutNode } from '../../../api/schema/v1/check.js';
import type { Finding } from '../../../api/schema/v1/findings.js';
import { lossiestOf, slowestOf } from '../../agent-part.js';
import { countText } from '../../view/age-text.js';

export interface CheckParts {
  readonly image: string;
  readonly seconds: number;
  readonly at: Date;
  /** How many nodes the cluster has. */
  readonly nodes: number;
  /** What each agent told, by the node of the agent. */
  readonly parts: ReadonlyMap<string, AgentPart>;
  readonly leftOut: readonly (LeftOutNode & { readonly isForeign: boolean })[];
  readonly notProbed: readonly string[];
}

/** Puts together what the agents told. What is not known is not well. */
export function composeCheck(given: CheckParts): Check {
  const parts = [...given.parts.values()];
  const best = bestInformed(parts);
  const findings = mergeFindings([...(best ? [best] : []), ...parts]);
  const { verdict, reason } = judge(given, findings);
  return {
    at: given.at.toISOString(),
    image: given.image,
    seconds: given.seconds,
    verdict,
    ...(reason !== undefined && { reason }),
    nodes: {
      all: given.nodes,
      checked: given.parts.size,
      leftOut: given.leftOut.map(({ node, why }) => ({ node, why })),
    },
    notProbed: given.notProbed.slice(0, mostNotProbed),
    findings,
    targets: best?.targets.targets ?? [],
    ...(best?.matrix && { matrix: best.matrix }),
    slowest: slowestOf(parts.flatMap(({ slowest = [] }) => slowest)),
    lossiest: lossiestOf(parts.flatMap(({ lossiest = [] }) => lossiest)),
  };
}

/** The agent that hears most others: in a split each side knows its own. */
function bestInformed(parts: readonly AgentPart[]): AgentPart | undefined {
  return parts.toSorted(
    ({ summary: a }, { summary: b }) =>
      b.observers.fresh - a.observers.fresh || (a.node < b.node ? -1 : 1),
  )[0];
}

/** A finding has the same id on every agent that sees it. What comes next needs agents, which will be gone. */
function mergeFindings(parts: readonly AgentPart[]): Finding[] {
  const byId = new Map<string, Finding>();
  for (const { findings } of parts) {
    for (const finding of findings?.findings ?? []) {
      if (!byId.has(finding.id)) byId.set(finding.id, { ...finding, next: [] });
    }
  }
  const rank = ({ severity }: Finding) => (severity === 'broken' ? 0 : 1);
  return [...byId.values()].sort((a, b) => rank(a) - rank(b));
}

function judge(
  { parts, leftOut, notProbed }: CheckParts,
  findings: readonly Finding[],
): Pick<Check, 'verdict' | 'reason'> {
  const [worst, ...others] = findings;
  if (worst) {
    const more = others.length === 0 ? '' : `, and ${countText(others.length, 'more finding')}`;
    const isBroken = worst.severity === 'broken';
    return { verdict: isBroken ? 'broken' : 'degraded', reason: `${worst.text}${more}` };
  }
  const missing = leftOut.filter(({ isForeign }) => !isForeign);
  const [first] = missing;
  if (first) {
    const reason = `${countText(missing.length, 'node')} could not take part, such as ${first.node}: ${first.why}`;
    return { verdict: 'unknown', reason };
  }
  const [what] = notProbed;
  if (what !== undefined) return { verdict: 'unknown', reason: what };
  const unsure = [...parts.values()].find(({ summary }) => summary.verdict !== 'ok');
  if (!unsure) return { verdict: 'ok' };
  const { node, verdict, reason = `it says ${verdict}` } = unsure.summary;
  return { verdict: 'unknown', reason: `${node}: ${reason}` };
}
