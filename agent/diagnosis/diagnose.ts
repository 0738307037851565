import { freshForMs } from '../model/row.js';
import { sightOf } from './life/sight-of.js';
import { nameOf } from './kinds/name.js';
import type { NamedSight } from './kinds/kind.js';
import { pathFinding } from './kinds/path-finding.js';
import { foldedFinding } from './kinds/folded-finding.js';
import { likenessOf, splitMany } from './kinds/fold.js';
import type { Candidate } from './nouns/candidate.js';
import type { Facts } from './evidence/facts.js';
import { explain } from './search/explain.js';
import { Explanation, degradedWeight } from './search/explanation.js';
import type { DiagnosisInput, DiagnosisOutput } from './nouns/diagnosis-input.js';
import { failingFamilies } from './kinds/failing-families.js';
import { fellSilent } from './evidence/fell-silent.js';
import type { Finding } from './nouns/finding.js';
import type { Cause } from './nouns/cause.js';
import { joinWays } from './search/join-ways.js';
import { impliedWitnesses } from './search/implied-witnesses.js';
import { liveFindings } from './life/lifetime.js';
import { missingObservers } from './kinds/missing-observers.js';
import { notListedFinding } from './kinds/not-listed.js';
import { notKnownPlanes } from './evidence/not-known.js';
import { largeObservations, observe, type Observations } from './evidence/observations.js';
import {
  largeLossWeight,
  leastReportWeight,
  pathWeight,
  reportWeightOf,
  usualDegradedShare,
} from './search/prior.js';
import { findEnds, rememberCauses, type Ends } from './life/ended-causes.js';
import { pathKinds } from './kinds/kinds.js';
import { leftOver } from './search/residue.js';
import { knownClaims } from './search/known-claims.js';
import { smallCandidates } from './search/small-candidates.js';
import { pathWeights } from './search/weights.js';
import { weightOfFlows } from './search/flows.js';
import { finished } from './nouns/steps.js';
import { PathSubjects } from './search/path-subjects.js';
import { Tally } from './evidence/tally.js';
import { diagnoseTargets } from './kinds/diagnose-targets.js';
import { unexplainedPaths } from './life/unexplained.js';
import { usualShares } from './search/usual-shares.js';
import { ZonePairs } from './evidence/zone-pairs.js';
import { ZoneSums } from './evidence/zone-sums.js';

const mostFindings = 64;

/**
 * Says what is broken: the explanation of all failing, lossy and slow paths in fresh rows that has
 * the least total cost, worst first. The same input gives the same output. It reads no clock.
 *
 * This is a generator, so that the event loop is not held up. It yields every few milliseconds of
 * work and returns the result.
 */
export function* diagnoseSteps(input: DiagnosisInput): Generator<void, DiagnosisOutput> {
  const { index } = input;
  const observations = yield* observe(index, input);
  const localNode = index.numberOf.get(input.localName) ?? -1;
  const facts: Facts = { input, index, observations, localNode };
  const broken = yield* Tally.count(index, observations, 'broken');
  // What is lost on some flows explains paths that fail, so losses come first.
  const tallies = [
    yield* Tally.count(index, observations, 'lossy'),
    broken,
    yield* Tally.count(index, observations, 'slow'),
  ];
  if (observations.large.hasLosses) {
    tallies.push(yield* Tally.count(index, largeObservations(observations), 'mtu'));
  }
  const ends = yield* findEnds(input, broken);
  const candidates: Candidate[] = [];
  const oneFlow = new Set<number>();
  for (const tally of tallies) {
    if (tally.badEntries.length === 0) continue;
    const sights = yield* explainTrouble(tally, facts, oneFlow, ends);
    for (const part of sights.flatMap(({ sight }) => sight.oneFlow)) noteOneFlow(part, oneFlow);
    candidates.push(...(yield* candidatesOf(sights, input.previous)));
  }
  const explaining = candidates.map(({ finding }) => finding);
  const aboutTargets = yield* diagnoseTargets(facts, candidates);
  const missing = yield* missingObservers(facts, explaining);
  candidates.push(...missing, ...aboutTargets.candidates);
  candidates.push(...failingFamilies(facts));
  const unlisted = notListedFinding(input);
  if (unlisted) candidates.push(unlisted);
  yield;
  const { open, findings, memory, opensInMs } = liveFindings(candidates, {
    input,
    hasLostWitnesses: (finding) => lostWitnesses(finding, facts),
  });
  yield;
  const told = [...findings].sort(worstFirst).slice(0, mostFindings);
  const unexplained = yield* unexplainedPaths(broken, open);
  const unexplainedTargets = aboutTargets.unexplained(open);
  const failing = { unexplained, unexplainedTargets };
  const wantsRows = opensInMs !== undefined || isChanging(findings, failing, input.previous);
  const { shadows, silences } = aboutTargets;
  const doubted = [...observations.large.doubted()].map(({ node, agoS }) => ({
    node,
    lostMs: input.now - 1000 * agoS,
  }));
  const notKnown = notKnownPlanes(broken, localNode);
  const past = yield* rememberCauses(
    shownCauses(open, memory, input.now),
    ends.causes,
    input,
    broken,
  );
  const remembered = { memory, shadows, silences, past };
  return { findings: told, ...failing, notKnown, doubted, opensInMs, wantsRows, ...remembered };
}

/** The causes of broken paths of the open findings. */
function* shownCauses(open: readonly Candidate[], memory: DiagnosisOutput['memory'], now: number) {
  for (const { finding, explained } of open) {
    // What was just told as silent may not have been heard by chance.
    const isSilent =
      silentKinds.has(finding.kind) &&
      now - (memory.get(finding.id)?.openedMs.at(-1) ?? now) >= sureSilentMs;
    for (const cause of explained) if (cause.trouble === 'broken') yield { cause, isSilent };
  }
}

/** A node or agent that was told as silent for so long is silent. */
const sureSilentMs = 5000;
const silentKinds: ReadonlySet<string> = new Set(
  pathKinds.flatMap(({ kind, isSilent }) => (isSilent ? kind : [])),
);

/** Whether more or fewer paths fail for a finding, or without one, than in the run before. */
function isChanging(
  findings: readonly Finding[],
  failing: Pick<DiagnosisOutput, 'unexplained' | 'unexplainedTargets'>,
  previous: DiagnosisOutput | undefined,
): boolean {
  if (!previous) return false;
  if (failing.unexplained !== previous.unexplained) return true;
  if (failing.unexplainedTargets !== previous.unexplainedTargets) return true;
  return findings.some(({ id, severity, explains }) => {
    const before = previous.memory.get(id)?.finding;
    return severity === 'broken' && before?.explains !== explains;
  });
}

/** Says what is broken, without a pause; see `diagnoseSteps`. */
export function diagnose(input: DiagnosisInput): DiagnosisOutput {
  return finished(diagnoseSteps(input));
}

/** Notes the failing paths that losses explain, by four times the entry plus the channel. */
function noteOneFlow({ entries, mask }: Cause, oneFlow: Set<number>): void {
  for (const entry of entries) oneFlow.add(4 * entry + Math.log2(mask));
}

/**
 * Explains the paths with one trouble.
 * @param oneFlow the failing paths that losses explain, by four times the entry plus the channel
 */
function* explainTrouble(
  tally: Tally,
  facts: Facts,
  oneFlow: ReadonlySet<number>,
  ends: Ends,
): Generator<void, NamedSight[]> {
  const { input, index, localNode } = facts;
  const { observations } = tally;
  const zonePairs = yield* ZonePairs.of(index, observations.entries);
  yield;
  const explanation = new Explanation(tally, {
    from: observations.entries.from,
    to: observations.entries.to,
    groupOf: zonePairs.ofEntry,
    groups: zonePairs.count,
  });
  const isLeftOver = leftOver(input, tally);
  const isBroken = tally.trouble === 'broken';
  const ended = isBroken ? ends.weights : undefined;
  const zoneSums = yield* ZoneSums.count(tally, zonePairs);
  const shares = pathWeights[tally.trouble].hasUsualShare
    ? usualShares(tally, zoneSums)
    : undefined;
  yield;
  const usual = shares?.usual ?? [];
  const subjects = new PathSubjects({
    tally,
    zonePairs,
    zoneSums,
    explanation,
    usual,
    knownClaims: knownClaims(input, tally.trouble),
    onsetS: onsetMs(observations) / 1000,
    intervalS: (observations.own?.httpIntervalMs ?? 5000) / 1000,
    fellSilent: fellSilent(input, index, observations),
  });
  let implied: ((entry: number, channel: number) => number) | undefined;
  // What is so everywhere is measured against any cluster, and the rest against this one.
  const everywhere = shares?.everywhere?.mask ?? 0;
  const usualOn = (channel: number) =>
    (everywhere >> channel) & 1 ? usualDegradedShare : (usual[channel] ?? 0.5);
  let reportWeight = leastReportWeight;
  const weigh = () =>
    explanation.weigh((entry, channel, paths) => {
      if (!isBroken && isLeftOver?.(entry, channel) === true) return 0;
      if (isBroken && oneFlow.size > 0 && oneFlow.has(4 * entry + channel)) return 0;
      const ageS = tally.ageS(entry, channel);
      if (tally.trouble === 'mtu') return largeLossWeight(paths, ageS);
      if (!isBroken) {
        const sticky = weightOfFlows(tally, entry, channel);
        return degradedWeight(tally.trouble, usualOn(channel), ageS) + sticky;
      }
      const weight = pathWeight(paths, ageS, reportWeight) * (implied?.(entry, channel) ?? 1);
      return ended ? Math.min(weight, ended[4 * entry + channel] ?? Infinity) : weight;
    });
  if (shares?.everywhere) explanation.add(shares.everywhere);
  yield* weigh();
  yield* explain(tally, explanation, subjects);
  // The fewer reports nothing larger explains, the less likely each of them is chance.
  if (isBroken) {
    yield;
    const open = yield* openPairs(tally, explanation);
    yield;
    reportWeight = reportWeightOf(tally.knownPairs, open);
    // What rows only count may be as many paths of one flow.
    const isMostlyFlows = 2 * oneFlow.size > tally.badEntries.length;
    implied = isMostlyFlows
      ? undefined
      : impliedWitnesses(tally, explanation, localNode, open / Math.max(tally.knownPairs, 1));
    yield;
    yield* weigh();
    // What others see too is no trouble of this node with some of them.
    if (implied) yield* explain(tally, explanation, subjects);
  }
  yield* explain(tally, explanation, subjects, () => smallCandidates(tally, explanation, subjects));
  yield;
  const sights: NamedSight[] = [];
  for (const cause of joinWays(explanation.causes)) {
    sights.push(nameOf(sightOf(cause, facts, { tally, explanation, subjects })));
    if (sights.length % 10 === 0) yield;
  }
  return sights;
}

/** Each path is probed once in an interval, and the first probes of a verdict take some seconds. */
function onsetMs({ own }: Observations): number {
  return 10_000 + (own ? freshForMs(own) / 2 : 0);
}

/** The work between two yields, in entries. */
const slice = 2000;

function* openPairs({ badEntries }: Tally, explanation: Explanation): Generator<void, number> {
  let open = 0;
  for (let at = 0; at < badEntries.length; at++) {
    if ((at + 1) % slice === 0) yield;
    if (explanation.openWeight(badEntries[at] ?? 0) > 0) open++;
  }
  return open;
}

/** Writes the findings: one for each cause, or one for many of a kind. Each has an id of its own. */
function* candidatesOf(
  sights: readonly NamedSight[],
  previous: DiagnosisInput['previous'],
): Generator<void, Candidate[]> {
  const { alone, folded } = splitMany(sights, likenessOf, previous);
  yield;
  const candidates = new Map<string, Candidate>();
  const add = (candidate: Candidate) => {
    const { id, direction = 'unknown' } = candidate.finding;
    const isTaken = candidates.has(id);
    const key = isTaken ? `${id}:${direction}` : id;
    const finding = isTaken ? { ...candidate.finding, id: key } : candidate.finding;
    candidates.set(key, { ...candidate, finding });
  };
  for (const sight of alone) {
    add(pathFinding(sight));
    yield;
  }
  for (const [id, group] of folded) {
    add(yield* foldedFinding(id, group));
    yield;
  }
  return [...candidates.values()];
}

/**
 * Whether at least half of a finding's witnesses have no believable row any more. Their silence is
 * no recovery.
 */
function lostWitnesses(
  { evidence, looks = [] }: Finding,
  {
    index,
    observations: { observerOf },
  }: { readonly index: Facts['index']; readonly observations: Observations },
): boolean {
  const witnesses = [...new Set([...evidence, ...looks].map(({ from }) => from))].flatMap(
    (name) => index.numberOf.get(name) ?? [],
  );
  const lost = witnesses.filter((node) => observerOf[node] === -1).length;
  return lost > 0 && lost * 2 >= witnesses.length;
}

/** The order of findings: broken before degraded, then by how many paths they explain. */
export function worstFirst(a: Finding, b: Finding): number {
  const bySeverity = Number(a.severity !== 'broken') - Number(b.severity !== 'broken');
  if (bySeverity !== 0) return bySeverity;
  if (a.explains !== b.explains) return b.explains - a.explains;
  const [first, second] = [`${a.since} ${a.id}`, `${b.since} ${b.id}`];
  return first < second ? -1 : Number(first > second);
}
