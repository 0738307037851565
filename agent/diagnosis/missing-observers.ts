import { freshForMs, type Row } from '../model/row.js';
import type { Candidate, Facts } from './build-finding.js';
import { hostHttpMask } from './channels.js';
import { nextCommands } from './commands.js';
import type { DiagnosisNode } from './diagnosis-input.js';
import type { Finding } from './finding.js';

/** The first row of an observer may take this much longer than later ones. */
const firstRowMs = 30_000;
const settleMs = 5000;
const mostNamed = 5;
const mostEvidence = 10;

interface Missing {
  readonly node: DiagnosisNode;
  readonly sinceAt: number;
  readonly isSilent: boolean;
}

/**
 * Finds the agents whose host answers although their row is stale or never came, unless another
 * finding explains it. They are one finding. A second one tells that this agent itself was starved.
 */
export function missingObservers(facts: Facts, others: readonly Finding[]): Candidate[] {
  const { own } = facts.observations;
  if (!own) return [];
  const starved = starvedFinding(facts, own);
  const missing = [...overdue(facts, own)].filter(({ node }) => !isExplained(facts, others, node));
  return [
    ...(starved ? [starved] : []),
    ...(missing.length > 0 ? [missingFinding(facts, missing)] : []),
  ];
}

function* overdue({ input, index, observations, localNode }: Facts, own: Row): Generator<Missing> {
  const { now } = input;
  const answering = (number: number) => {
    const answers = number !== localNode && answersLocal(observations, localNode, number);
    return answers ? index.nodes[number] : undefined;
  };
  for (const row of observations.stale) {
    const overdueMs = row.ageMs - freshForMs(row);
    // One more exchange must be lost: a single one is no missing observer.
    if (overdueMs < row.httpIntervalMs + row.httpTimeoutMs) continue;
    const node = answering(row.node);
    if (node) yield { node, sinceAt: now - overdueMs, isSilent: false };
  }
  for (const [name, silentMs] of input.silentMs) {
    const overdueMs = silentMs - freshForMs(own) - firstRowMs;
    const number = overdueMs < 0 ? undefined : index.numberOf.get(name);
    const node = number === undefined ? undefined : answering(number);
    if (node) yield { node, sinceAt: now - overdueMs, isSilent: true };
  }
}

/**
 * Whether the local node gets HTTP answers of a peer's agent. Then the peer's row could have come
 * with them.
 */
function answersLocal(
  observations: Facts['observations'],
  localNode: number,
  target: number,
): boolean {
  const number = observations.observerOf[localNode] ?? -1;
  const local = observations.observers[number];
  // An agent that does not probe by HTTP gets no rows, so it misses none.
  if (!local || (local.horizons[1] ?? -1) < 0) return false;
  const last = observations.firstOf[number + 1] ?? 0;
  for (let entry = observations.firstOf[number] ?? 0; entry < last; entry++) {
    if (observations.to[entry] !== target) continue;
    const notOk = (observations.fail[entry] ?? 0) | (observations.unknown[entry] ?? 0);
    return (notOk & hostHttpMask) === 0;
  }
  return true;
}

function isExplained({ input }: Facts, others: readonly Finding[], node: DiagnosisNode): boolean {
  return others.some(
    (finding) =>
      finding.severity === 'broken' &&
      (finding.node === node.name ||
        (finding.pair?.includes(node.name) ?? false) ||
        (node.zone !== undefined && (finding.zones?.includes(node.zone) ?? false)) ||
        (finding.node === input.localName && finding.plane !== 'endpoint')),
  );
}

function missingFinding({ input }: Facts, missing: readonly Missing[]): Candidate {
  const sorted = [...missing].sort((a, b) => a.sinceAt - b.sinceAt);
  const [first] = sorted;
  const named = sorted.slice(0, mostNamed).map(({ node }) => node.name);
  const rest = missing.length - named.length;
  const names = `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  const isOne = missing.length === 1;
  const silent = missing.filter(({ isSilent }) => isSilent).length;
  const how =
    silent === missing.length
      ? `never told what ${isOne ? 'it sees' : 'they see'}`
      : silent === 0
        ? `no longer ${isOne ? 'tells what it sees' : 'tell what they see'}`
        : 'do not tell what they see';
  const agents = isOne ? `the agent of ${names}` : `${missing.length} agents (${names})`;
  const finding: Finding = {
    id: 'observers-missing',
    kind: 'observers-missing',
    severity: 'degraded',
    ...(missing.length === 1 && first && { node: first.node.name }),
    plane: 'host',
    protocols: ['http'],
    since: new Date(first?.sinceAt ?? input.now).toISOString(),
    seenBy: { failing: 1, of: 1 },
    explains: 0,
    confidence: 0.9,
    text: `${agents} ${how}, though ${isOne ? 'its host answers' : 'their hosts answer'}`,
    next: sorted
      .slice(0, 3)
      .flatMap(({ node }) =>
        nextCommands({
          kind: 'observers-missing',
          to: node,
          from: undefined,
          isEverywhere: false,
          probePort: input.probePort,
          namespace: input.namespace,
        }),
      )
      .slice(0, 3),
    evidence: sorted.slice(0, mostEvidence).map(({ node, sinceAt, isSilent }) => ({
      from: input.localName,
      to: node.name,
      plane: 'host',
      protocol: 'http',
      failure: isSilent ? 'no row ever came' : 'the row is stale',
      since: new Date(sinceAt).toISOString(),
    })),
  };
  return { finding, settleMs };
}

/** What a starved agent sees says nothing about others, but its silence is not health either. */
function starvedFinding({ input }: Facts, own: Row): Candidate | undefined {
  if (!own.health.starved || own.paths.length === 0) return undefined;
  const failing = own.paths.filter(({ state }) => state === 'unreachable').length;
  if (failing === 0) return undefined;
  const oldestS = Math.max(...own.paths.map(({ ageSeconds }) => ageSeconds));
  const finding: Finding = {
    id: `observers-missing:${input.localName}`,
    kind: 'observers-missing',
    severity: 'degraded',
    node: input.localName,
    protocols: ['icmp', 'http'],
    since: new Date(input.now - 1000 * oldestS).toISOString(),
    seenBy: { failing: 1, of: 1 },
    explains: failing,
    confidence: 0.9,
    text: `the agent of ${input.localName} was kept from running, so the ${failing} failing paths that it sees do not count`,
    next: ['uptime', 'meshprobe get'],
    evidence: [],
    local: true,
  };
  return { finding, settleMs };
}
