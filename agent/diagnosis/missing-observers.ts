import { isCovered } from '../model/row-coverage.js';
import { freshForMs, type Row } from '../model/row.js';
import { isoTime } from './nouns/diagnosis-input.js';
import type { Candidate } from './nouns/candidate.js';
import type { Facts } from './facts.js';
import { hostHttpMask } from './nouns/channel-mask.js';
import { nextCommands } from './commands.js';
import type { DiagnosisNode } from './nouns/diagnosis-node.js';
import type { Finding } from './nouns/finding.js';

/** The first row of an observer may take this much longer than later ones. */
const firstRowMs = 30_000;
const settleMs = 5000;
const mostNamed = 5;
const mostEvidence = 10;

interface Missing {
  readonly node: DiagnosisNode;
  readonly sinceMs: number;
  readonly isSilent: boolean;
}

/** The work between two yields, in nodes. */
const slice = 1000;

/**
 * Finds the agents whose host answers although their row is stale or never came, unless another
 * finding explains it. They are one finding. A second one tells that this agent itself was starved.
 */
export function* missingObservers(
  facts: Facts,
  others: readonly Finding[],
): Generator<void, Candidate[]> {
  const { own } = facts.observations;
  if (!own) return [];
  const starved = starvedFinding(facts, own);
  const { fresh, candidates } = yield* overdue(facts, own);
  const missing = candidates.filter(({ node }) => !isExplained(facts, others, node));
  return [
    ...(starved ? [starved] : []),
    ...(missing.length === 0
      ? []
      : [missing.length > fresh ? noRows(facts, missing, fresh) : missingFinding(facts, missing)]),
  ];
}

interface Overdue {
  /** How many other agents still tell what they see. */
  readonly fresh: number;
  /** Those whose row is overdue, though their host answers. */
  readonly candidates: readonly Missing[];
}

function* overdue(facts: Facts, own: Row): Generator<void, Overdue> {
  const { input, index, observations, localNode } = facts;
  const { now } = input;
  const answers = answersLocal(facts);
  const answering = (number: number) => (answers(number) ? index.nodes[number] : undefined);
  const candidates: Missing[] = [];
  let fresh = index.size - (localNode >= 0 ? 1 : 0) - observations.stale.length;
  for (const row of observations.stale) {
    const overdueMs = row.ageMs - freshForMs(row);
    // One more exchange must be lost: a single one is no missing observer.
    if (overdueMs < row.httpIntervalMs + row.httpTimeoutMs) continue;
    const node = answering(row.node);
    if (node) candidates.push({ node, sinceMs: now - overdueMs, isSilent: false });
  }
  const leastSilentMs = freshForMs(own) + firstRowMs;
  let seen = 0;
  for (const [name, silentMs] of input.silentMs) {
    if (++seen % slice === 0) yield;
    const overdueMs = silentMs - leastSilentMs;
    const number = index.numberOf.get(name);
    if (number === undefined) continue;
    fresh--;
    const node = overdueMs < 0 ? undefined : answering(number);
    if (node) candidates.push({ node, sinceMs: now - overdueMs, isSilent: true });
  }
  return { fresh, candidates };
}

/** The channel by which rows come: HTTP on the host plane. */
const rowChannel = 1;

/**
 * Whether the local node is known to get HTTP answers of a peer's agent. Then the peer's row could
 * have come with them. An agent that does not probe by HTTP gets no rows, so it misses none.
 */
function answersLocal({ observations, index, localNode }: Facts): (target: number) => boolean {
  const { observers, observerOf, firstOf, entries } = observations;
  const number = observerOf[localNode] ?? -1;
  const local = observers[number];
  if (!local) return () => false;
  // There may be thousands of targets, and as many entries.
  const entryOf = new Int32Array(index.size).fill(-1);
  const last = firstOf[number + 1] ?? 0;
  for (let entry = firstOf[number] ?? 0; entry < last; entry++) {
    entryOf[entries.to[entry] ?? 0] = entry;
  }
  return (target) => {
    if (target === localNode) return false;
    const entry = entryOf[target] ?? -1;
    if (entry === -1) return isCovered(local.coverage, index.hashes[target] ?? 0, rowChannel);
    const notOk = (entries.fail[entry] ?? 0) | (entries.unknown[entry] ?? 0);
    return (notOk & hostHttpMask) === 0;
  };
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
  const sorted = [...missing].sort((a, b) => a.sinceMs - b.sinceMs);
  const [first] = sorted;
  const sinceMs = first?.sinceMs ?? input.now;
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
    since: isoTime(input, sinceMs),
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
    evidence: sorted.slice(0, mostEvidence).map(({ node, sinceMs: from, isSilent }) => ({
      from: input.localName,
      to: node.name,
      plane: 'host',
      protocol: 'http',
      failure: isSilent ? 'no row ever came' : 'the row is stale',
      since: isoTime(input, from),
    })),
  };
  return { finding, sinceMs, settleMs, causes: [], explained: [] };
}

/**
 * An agent that misses more rows than it gets, though those hosts answer it, names itself and none of them: rows
 * are most likely kept from it for one reason, and that is its own address.
 */
function noRows({ input }: Facts, missing: readonly Missing[], fresh: number): Candidate {
  const sinceMs = missing.reduce((earliest, one) => Math.min(earliest, one.sinceMs), input.now);
  const isOne = missing.length === 1;
  const of = fresh > 0 ? ` of ${missing.length + fresh}` : '';
  const whose = isOne
    ? `the agent of ${missing[0]?.node.name ?? ''}`
    : `${missing.length}${of} other agents`;
  const finding: Finding = {
    id: 'observers-missing:rows',
    kind: 'observers-missing',
    severity: 'degraded',
    node: input.localName,
    plane: 'host',
    protocols: ['http'],
    since: isoTime(input, sinceMs),
    seenBy: { failing: 1, of: 1 },
    explains: 0,
    confidence: 0.9,
    text: `${input.localName} gets no row of ${whose}, though ${isOne ? 'its host answers' : 'their hosts answer'} it: ${isOne ? 'it' : 'they'} may not know the address that its packets come from (--mesh-source there, or one more host address of this node in the node list)`,
    next: ['meshprobe get', 'ip -brief address'],
    evidence: [],
    local: true,
  };
  return { finding, sinceMs, settleMs, causes: [], explained: [] };
}

/** What a starved agent sees says nothing about others, but its silence is not health either. */
function starvedFinding({ input }: Facts, own: Row): Candidate | undefined {
  if (!own.health.starved || own.paths.length === 0) return undefined;
  const failing = own.paths.filter(({ state }) => state === 'unreachable').length;
  if (failing === 0) return undefined;
  const oldestS = own.paths.reduce((oldest, path) => Math.max(oldest, path.ageSeconds), 0);
  const sinceMs = input.now - 1000 * oldestS;
  const finding: Finding = {
    id: `observers-missing:${input.localName}`,
    kind: 'observers-missing',
    severity: 'degraded',
    node: input.localName,
    protocols: ['icmp', 'http'],
    since: isoTime(input, sinceMs),
    seenBy: { failing: 1, of: 1 },
    explains: failing,
    confidence: 0.9,
    text: `the agent of ${input.localName} gets too little CPU time, so the ${failing === 1 ? 'failing path that it sees does' : `${failing} failing paths that it sees do`} not count`,
    next: ['uptime', 'meshprobe get'],
    evidence: [],
    local: true,
  };
  return { finding, sinceMs, settleMs, causes: [], explained: [] };
}
