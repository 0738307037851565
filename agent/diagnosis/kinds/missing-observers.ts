import { freshForMs, type Row } from '../../model/row.js';
import type { Candidate } from '../nouns/candidate.js';
import { toldChannels } from '../evidence/coverage.js';
import type { Facts } from '../evidence/facts.js';
import { hostHttpMask } from '../nouns/channel-mask.js';
import {
  missingFinding,
  noRowsFinding,
  starvedFinding,
  type MissingObserver,
} from './observers-missing.js';
import type { DiagnosisNode } from '../nouns/diagnosis-node.js';
import type { Finding } from '../nouns/finding.js';
import { isAtEnd } from './finding-ends.js';

/** The first row of an observer may take this much longer than later ones. */
const firstRowMs = 30_000;

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
  const { input, observations } = facts;
  const { own } = observations;
  if (!own) return [];
  const { fresh, candidates } = yield* overdue(facts, own);
  const missing = candidates.filter(({ node }) => !isExplained(facts, others, node));
  const starved = starvedFinding(input, own);
  const findings = starved ? [starved] : [];
  if (missing.length > 0) {
    const isAlone = missing.length > fresh;
    findings.push(isAlone ? noRowsFinding(input, missing, fresh) : missingFinding(input, missing));
  }
  return findings;
}

interface Overdue {
  /** How many other agents still tell what they see. */
  readonly fresh: number;
  /** Those whose row is overdue, though their host answers. */
  readonly candidates: readonly MissingObserver[];
}

function* overdue(facts: Facts, own: Row): Generator<void, Overdue> {
  const { input, index, observations, localNode } = facts;
  const { now } = input;
  const answers = answersLocal(facts);
  const answering = (number: number) => (answers(number) ? index.nodes[number] : undefined);
  const candidates: MissingObserver[] = [];
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
    if (entry === -1) return toldChannels(local, target, hostHttpMask, index) !== 0;
    const notOk = (entries.fail[entry] ?? 0) | (entries.unknown[entry] ?? 0);
    return (notOk & hostHttpMask) === 0;
  };
}

function isExplained({ input }: Facts, others: readonly Finding[], node: DiagnosisNode): boolean {
  return others.some(
    (finding) =>
      finding.severity === 'broken' &&
      ((node.zone !== undefined && (finding.zones?.includes(node.zone) ?? false)) ||
        isAtEnd(finding, node.name, input.index) ||
        (finding.node === input.localName && finding.plane !== 'endpoint')),
  );
}
