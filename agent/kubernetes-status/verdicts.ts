import type { NetworkCondition } from '../discovery/kubernetes/network-condition.js';
import { kindsThat } from '../diagnosis/kinds/kinds.js';
import { mostPartialRows } from '../diagnosis/evidence/row-choice.js';
import { boundText, longestMessage, reasonOf } from './kubernetes-text.js';
import type { OpenFinding, Situation } from './situation.js';

/** What the condition of one node should say. */
export interface Verdict {
  readonly status: NetworkCondition['status'];
  readonly reason: string;
  readonly message: string;
  /** Since when, epoch milliseconds. */
  readonly sinceAt: number;
  /** The finding stands for many nodes, and this is the time of the first ones. */
  readonly isOfMany: boolean;
  /** The finding that says so. */
  readonly finding?: string;
  /** Reasons that say the same: another agent may hold the findings of a node in another order. */
  readonly sameReasons: readonly string[];
  /** A node without the condition does not get it for that. */
  readonly onlyIfPresent: boolean;
}

const agentKinds = kindsThat('isAboutAgent');
const hostKinds = kindsThat('isAboutHost');

/**
 * What the condition of a node should say; undefined: whatever it says now stays.
 * @param name the short name of the node
 */
export function verdictOf(name: string, situation: Situation): Verdict | undefined {
  const node = situation.nodes.get(name);
  if (!node) return undefined;
  const naming = situation.findings.filter(({ nodes }) => nodes.has(name));
  // A target may be anything, also outside of the cluster: no node is to be repaired for that. What the host of a node counts says
  // nothing of its paths, and no other agent could tell it.
  const about = naming.filter(
    ({ finding: { target, kind } }) => target === undefined && !hostKinds.has(kind),
  );
  const network = about.filter(({ finding }) => !agentKinds.has(finding.kind));
  const [worst] = network;
  if (worst) return unhealthy(worst, network, situation);
  const [agents] = about;
  if (agents) {
    const { kind, text } = agents.finding;
    return unknown(reasonOf(kind), text, situation);
  }
  // Nobody says what is wrong, and still it does not answer: it may be a part of something larger.
  if (!situation.reaches(node.name)) return undefined;
  if (node.phase !== 'active') {
    return unknown('NotJudged', `the node is ${node.phase}, and answers`, situation);
  }
  const signs = naming.flatMap(({ finding }) => finding.sign ?? []);
  const message =
    signs.length === 0
      ? 'no finding names this node'
      : `no finding about its paths names this node; signs of its host: ${signs.join(', ')}`;
  return verdict({
    status: 'True',
    reason: 'NoFinding',
    message,
    sinceAt: situation.wallMs,
    onlyIfPresent: true,
  });
}

function unhealthy(open: OpenFinding, all: readonly OpenFinding[], situation: Situation): Verdict {
  const { others, wallMs } = situation;
  const { id, kind, text, seenBy, since, count } = open.finding;
  const sinceAt = Math.min(Date.parse(since), wallMs);
  const common = { sinceAt, finding: id, isOfMany: count !== undefined };
  if (canAllTell(open, situation) && 2 * seenBy.of < Math.min(others.length, mostPartialRows)) {
    const message = `${seenBy.of} of ${others.length + 1} agents tell of it: ${text}`;
    return verdict({ ...common, status: 'Unknown', reason: 'TooFewObservers', message });
  }
  const sameReasons = all.map((one) => reasonOf(one.finding.kind));
  const reason = reasonOf(kind);
  return verdict({ ...common, status: 'False', reason, message: text, sameReasons });
}

/**
 * Whether each other agent can tell of a finding. What a node's own probes lose is seen by that node
 * alone, and large packets are tested by some.
 */
function canAllTell({ finding, nodes: named }: OpenFinding, { nodes }: Situation): boolean {
  if (finding.kind === 'mtu') return false;
  const own = new Set([...named].map((name) => nodes.get(name)?.name));
  return finding.evidence.length === 0 || finding.evidence.some(({ from }) => !own.has(from));
}

function unknown(reason: string, message: string, { wallMs }: Situation): Verdict {
  return verdict({ status: 'Unknown', reason, message, sinceAt: wallMs, onlyIfPresent: true });
}

function verdict(
  parts: Omit<Verdict, 'sameReasons' | 'onlyIfPresent' | 'isOfMany'> &
    Partial<Pick<Verdict, 'sameReasons' | 'onlyIfPresent' | 'isOfMany'>>,
): Verdict {
  const message = boundText(parts.message, longestMessage);
  return { sameReasons: [parts.reason], onlyIfPresent: false, isOfMany: false, ...parts, message };
}
