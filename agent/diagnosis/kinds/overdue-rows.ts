import { freshForMs } from '../../model/row.js';
import { reportedChannels } from '../evidence/coverage.js';
import type { Facts } from '../evidence/observations.js';
import { hostHttpMask } from '../nouns/channel-mask.js';
import type { DiagnosisNode } from '../nouns/diagnosis-node.js';
import type { Candidate, Finding } from '../nouns/finding.js';
import { isAtEnd } from './finding-ends.js';
import {
  missingFinding,
  noRowsFinding,
  starvedFinding,
  type MissingObserver,
} from './observers-missing.js';

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
  const { input, index, observations, localNode } = facts;
  const { own, stale } = observations;
  if (!own) return [];
  const answers = answersLocal(facts);
  const all: MissingObserver[] = [];
  const add = (number: number, overdueMs: number, isSilent: boolean) => {
    const node = answers(number) ? index.nodes[number] : undefined;
    if (!node || isExplained(facts, others, node)) return;
    const isPlain = input.plainForMs?.get(node.name) !== undefined;
    all.push({ node, sinceMs: input.now - overdueMs, isSilent, isPlain });
  };
  // So many other agents still tell what they see.
  let fresh = index.size - (localNode >= 0 ? 1 : 0) - stale.length;
  // While its agent was down no row could come, and it begins without a node list, so without one.
  const answeredMs = (number: number, ms: number): number =>
    Math.min(ms, input.plainForMs?.get(index.nodes[number]?.name ?? '') ?? Infinity);
  for (const row of stale) {
    const overdueMs = answeredMs(row.node, row.ageMs - freshForMs(row));
    // One more exchange must be lost: a single one is no missing observer.
    if (overdueMs >= row.httpIntervalMs + row.httpTimeoutMs) add(row.node, overdueMs, false);
  }
  const leastSilentMs = freshForMs(own) + firstRowMs;
  let seen = 0;
  for (const [name, silentMs] of input.silentMs) {
    if (++seen % slice === 0) yield;
    const number = index.numberOf.get(name);
    if (number === undefined) continue;
    fresh--;
    const overdueMs = answeredMs(number, silentMs) - leastSilentMs;
    if (overdueMs >= 0) add(number, overdueMs, true);
  }
  const starved = starvedFinding(input, own);
  const findings = starved ? [starved] : [];
  const [first, ...rest] = all.sort((a, b) => a.sinceMs - b.sinceMs);
  if (!first) return findings;
  const missing = [first, ...rest] as const;
  const isAlone = missing.length > fresh;
  findings.push(isAlone ? noRowsFinding(input, missing, fresh) : missingFinding(input, missing));
  return findings;
}

/** Whether the local node gets HTTP answers of a peer's agent, so that its row could have come. Who does not probe by HTTP misses none. */
function answersLocal({ observations, index, localNode }: Facts): (target: number) => boolean {
  const { observers, observerOf, firstOf, entries } = observations;
  const number = observerOf[localNode] ?? -1;
  const local = observers[number];
  if (!local) return () => false;
  // There may be thousands of targets, and as many entries.
  const entryOf = new Int32Array(index.size).fill(-1);
  for (let entry = firstOf[number] ?? 0; entry < (firstOf[number + 1] ?? 0); entry++)
    entryOf[entries.to[entry] ?? 0] = entry;
  return (target) => {
    if (target === localNode || !((index.masks[target] ?? 0) & hostHttpMask)) return false;
    const entry = entryOf[target] ?? -1;
    if (entry === -1) return reportedChannels(local, target, hostHttpMask, index) !== 0;
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
