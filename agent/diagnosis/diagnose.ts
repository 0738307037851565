import { freshForMs } from '../model/row.js';
import { buildFinding, distinguish, type Candidate, type Facts } from './build-finding.js';
import type { Cause } from './cause.js';
import type { ClusterIndex } from './cluster-index.js';
import { degradedCauses } from './degraded-causes.js';
import type { DiagnosisInput, DiagnosisOutput } from './diagnosis-input.js';
import { countEvidence } from './evidence.js';
import { fellSilent } from './fell-silent.js';
import type { Finding } from './finding.js';
import { liveFindings } from './lifetime.js';
import { missingObservers } from './missing-observers.js';
import { nodeCauses } from './node-causes.js';
import { observe, type Observations } from './observations.js';
import { OpenPairs } from './open-pairs.js';
import { pairCauses } from './pair-causes.js';
import { partialCauses } from './partial-causes.js';
import { groupCauses } from './zone-causes.js';

const mostFindings = 64;
/** More causes than findings are shown: some wait to open, and two may become one finding. */
const mostBuilt = 2 * mostFindings;
/** An older sign of life says nothing about now. */
const heardMs = 20_000;

/**
 * Says what is broken: the smallest set of causes that explains the failing paths in fresh rows,
 * worst first. The same input gives the same output. It reads no clock.
 *
 * This is a generator, so that the event loop is not held up. It yields every few milliseconds of
 * work and returns the result.
 */
export function* diagnoseSteps(input: DiagnosisInput): Generator<void, DiagnosisOutput> {
  const { index } = input;
  const observations = yield* observe(index, input.rows, input.localName);
  const evidence = yield* countEvidence(index, observations);
  const broken: Cause[] = yield* groupCauses(evidence);
  for (const cause of yield* nodeCauses(evidence)) broken.push(cause);
  yield;
  const pairs = new OpenPairs(evidence, fellSilent(input, index, observations));
  yield;
  for (const cause of partialCauses(evidence, pairs)) broken.push(cause);
  yield;
  for (const cause of pairCauses(evidence, pairs)) broken.push(cause);
  yield;
  const degraded = [
    ...(yield* degradedCauses(index, observations, 'lossy')),
    ...(yield* degradedCauses(index, observations, 'slow')),
  ];
  const localNode = index.numberOf.get(input.localName) ?? -1;
  const facts: Facts = {
    input,
    index,
    observations,
    localNode,
    heardAt: heardAt(input, index, observations),
  };
  const candidates = new Map<string, Candidate>();
  for (const causes of [broken, degraded]) {
    causes.sort((a, b) => b.paths - a.paths);
    for (const cause of causes.slice(0, mostBuilt)) {
      const built = buildFinding(cause, facts);
      const candidate = candidates.has(built.finding.id)
        ? { ...built, finding: distinguish(built.finding) }
        : built;
      candidates.set(candidate.finding.id, candidate);
      yield;
    }
  }
  const explaining = [...candidates.values()].map(({ finding }) => finding);
  for (const candidate of missingObservers(facts, explaining)) {
    candidates.set(candidate.finding.id, candidate);
  }
  const { findings, memory, opensInMs } = liveFindings([...candidates.values()], input.previous, {
    now: input.now,
    hasLostWitnesses: (finding) => lostWitnesses(finding, index, observations),
    zoneOf: (name) => index.nodes[index.numberOf.get(name) ?? -1]?.zone,
    localName: input.localName,
    freshMs: observations.own ? freshForMs(observations.own) : 0,
  });
  const told = [...findings].sort(worstFirst).slice(0, mostFindings);
  return { findings: told, unexplained: unexplained(observations, told), opensInMs, memory };
}

/** Says what is broken, without a pause; see `diagnoseSteps`. */
export function diagnose(input: DiagnosisInput): DiagnosisOutput {
  const steps = diagnoseSteps(input);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Whether at least half of a finding's witnesses have no believable row any more. Their silence is
 * no recovery.
 */
function lostWitnesses(
  { evidence }: Finding,
  index: ClusterIndex,
  { observerOf }: Observations,
): boolean {
  const witnesses = [...new Set(evidence.map(({ from }) => from))].flatMap(
    (name) => index.numberOf.get(name) ?? [],
  );
  const lost = witnesses.filter((node) => observerOf[node] === -1).length;
  return lost > 0 && lost * 2 >= witnesses.length;
}

function worstFirst(a: Finding, b: Finding): number {
  const bySeverity = Number(a.severity !== 'broken') - Number(b.severity !== 'broken');
  if (bySeverity !== 0) return bySeverity;
  if (a.explains !== b.explains) return b.explains - a.explains;
  const [first, second] = [`${a.since} ${a.id}`, `${b.since} ${b.id}`];
  return first < second ? -1 : Number(first > second);
}

/**
 * The failing paths of all rows, including those that rows leave out, minus those that findings
 * explain.
 */
function unexplained({ failing }: Observations, findings: readonly Finding[]): number {
  let left = failing;
  for (const { severity, explains } of findings) if (severity === 'broken') left -= explains;
  return Math.max(left, 0);
}

/** When any observer last heard a node, as far as that is known, in epoch milliseconds. */
function heardAt(
  input: DiagnosisInput,
  index: ClusterIndex,
  { own, heardMsAgo }: Observations,
): (name: string) => number | undefined {
  const recentMs = Math.max(heardMs, own ? freshForMs(own) : 0);
  return (name) => {
    const number = index.numberOf.get(name);
    const byOthers = number === undefined ? undefined : heardMsAgo.get(number);
    const agoMs = Math.min(input.heardMsAgo.get(name) ?? Infinity, byOthers ?? Infinity);
    return agoMs > recentMs ? undefined : input.now - agoMs;
  };
}
