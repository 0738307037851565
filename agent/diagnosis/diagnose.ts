import { buildFinding, distinguish, type Candidate, type Facts } from './build-finding.js';
import type { Cause } from './cause.js';
import { indexCluster, type ClusterIndex } from './cluster-index.js';
import { degradedCauses } from './degraded-causes.js';
import type { DiagnosisInput, DiagnosisOutput } from './diagnosis-input.js';
import { countEvidence } from './evidence.js';
import { fellSilent } from './fell-silent.js';
import type { Finding } from './finding.js';
import { liveFindings } from './lifetime.js';
import { freshForMs, missingObservers } from './missing-observers.js';
import { nodeCauses } from './node-causes.js';
import { observe, type Observations } from './observations.js';
import { OpenPairs } from './open-pairs.js';
import { pairCauses } from './pair-causes.js';
import { partialCauses } from './partial-causes.js';
import { groupCauses } from './zone-causes.js';

const mostFindings = 64;
/** More causes than are told: those that are held back still, and those of which two are one finding. */
const mostBuilt = 2 * mostFindings;
/** What was heard longer ago than this says nothing of now. */
const heardMs = 20_000;

/**
 * Says what is broken: the smallest set of causes that explains what fresh rows say fails, worst
 * first. The same input gives the same output; nothing is read but the input, and no clock.
 *
 * It is a generator so that it need not hold up the event loop: it yields every few milliseconds of
 * work, and its result is the return value.
 */
export function* diagnoseSteps(input: DiagnosisInput): Generator<void, DiagnosisOutput> {
  const index = indexCluster(input.nodes);
  yield;
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
    isUntold: (finding) => lostWitnesses(finding, index, observations),
  });
  const told = [...findings].sort(worstFirst).slice(0, mostFindings);
  return { findings: told, unexplained: unexplained(observations, told), opensInMs, memory };
}

/** Says what is broken, in one go; see `diagnoseSteps`. */
export function diagnose(input: DiagnosisInput): DiagnosisOutput {
  const steps = diagnoseSteps(input);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Whether half of those who saw a finding's paths fail can be believed no more: silence is no recovery. */
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

/** Failing paths of all rows, also those that rows leave out, less those that findings explain. */
function unexplained({ failing }: Observations, findings: readonly Finding[]): number {
  let left = failing;
  for (const { severity, explains } of findings) if (severity === 'broken') left -= explains;
  return Math.max(left, 0);
}

/** When a node was last heard of by anyone, as far as that is known, epoch milliseconds. */
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
