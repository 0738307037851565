import { PathSight } from './life/path-sight.js';
import { worstFirst, type Candidate, type Finding } from './nouns/finding.js';
import { suspectedNodes, largeObservations } from './evidence/large-packets.js';
import { failingObservations, observe, type Facts } from './evidence/observations.js';
import { explainTrouble } from './search/explain-trouble.js';
import { pathFindings } from './kinds/path-findings.js';
import type { DiagnosisInput, DiagnosisOutput } from './nouns/diagnosis-input.js';
import { failingHosts } from './kinds/failing-hosts.js';
import { withHostEvidence } from './kinds/host-evidence.js';
import { failingFamilies } from './kinds/address-family.js';
import { outdatedRows, rowsOfLikeNodes } from './life/outdated-rows.js';
import { liveFindings } from './life/lifetime.js';
import { missingObservers } from './kinds/overdue-rows.js';
import { notListedFinding } from './kinds/not-listed.js';
import { notKnownPlanes } from './evidence/not-known.js';
import type { Explanation } from './search/explanation.js';
import { findEnds, findEndsOf } from './life/ended-causes.js';
import { rememberCauses, type ExplainedPaths } from './life/remembered-causes.js';
import { momentaryPaths } from './search/momentary-paths.js';
import { kindsThat } from './kinds/kinds.js';
import { freshForMs } from '../model/row.js';
import { finished } from './nouns/steps.js';
import { formerlyExplained } from './evidence/covered-paths.js';
import { Tally } from './evidence/tally.js';
import type { LivesSince } from './nouns/memory.js';
import { diagnoseTargets } from './kinds/diagnose-targets.js';
import { noteStrayReports, strayShare } from './life/stray-reports.js';
import { unexplainedPaths } from './life/unexplained.js';

/**
 * Says what is broken: the explanation of what fresh rows tell of paths that has the least total cost, worst first. The same input gives
 * the same output, and it reads no clock. It yields every few milliseconds of work, so that the event loop is not held up.
 */
export function* diagnoseSteps(input: DiagnosisInput): Generator<void, DiagnosisOutput> {
  const { index } = input;
  const observations = yield* observe(input);
  const localNode = index.numberOf.get(input.localName) ?? -1;
  const facts: Facts = { input, index, observations, localNode };
  const broken = yield* Tally.count(
    index,
    failingObservations(observations),
    'broken',
    formerlyExplained(input.previous?.memory, index),
  );
  // What is lost on some flows explains paths that fail, so losses come first.
  const tallies = [
    yield* Tally.count(index, observations, 'lossy'),
    broken,
    yield* Tally.count(index, observations, 'slow'),
  ];
  if (observations.large.some(({ large }) => large.lost.length > 0)) {
    tallies.push(yield* Tally.count(index, largeObservations(observations, index), 'mtu'));
  }
  let ends = yield* findEnds({ input, tally: broken });
  /** An agent that has just started remembers no cause, so each that it finds may have ended. */
  function* endedOf(explanation: Explanation): Generator<void, Float32Array | undefined> {
    const after = yield* findEndsOf(ends, input, { tally: broken, explanation });
    if (after) ends = after;
    return after?.weights;
  }
  const { own } = observations;
  const isNew = own !== undefined && input.uptimeMs < freshForMs(own);
  const candidates: Candidate[] = [];
  const livesSince = new Map<string, LivesSince>();
  let explainedBroken: ExplainedPaths = { tally: broken, explanation: { isShared: () => false } };
  /** The failing paths that losses explain, by four times the entry plus the channel. */
  const oneFlow = new Set(momentaryPaths(broken));
  yield;
  const stray = noteStrayReports(input.previous, input.now);
  const common = { oneFlow, strayShare: strayShare(stray) };
  for (const tally of tallies) {
    if (tally.badEntries.length === 0) continue;
    const ended = tally === broken ? { ended: ends.weights, ...(isNew && { endedOf }) } : undefined;
    const explained = yield* explainTrouble(tally, facts, { ...common, ...ended });
    if (tally === broken) explainedBroken = explained;
    const sights: PathSight[] = [];
    for (const cause of explained.causes) {
      const sight = new PathSight(cause, facts, explained);
      if (sight.life.since) livesSince.set(index.nodes[sight.node]?.name ?? '', sight.life.since);
      sights.push(sight);
      if (sights.length % 10 === 0) yield;
    }
    for (const { entries, knownChannels } of sights.flatMap(({ oneFlow: paths }) => paths))
      for (const entry of entries) oneFlow.add(4 * entry + Math.log2(knownChannels));
    candidates.push(...(yield* pathFindings(sights, input.previous)));
  }
  const explaining = candidates.map(({ finding }) => finding);
  const aboutTargets = yield* diagnoseTargets(facts, candidates);
  const missing = yield* missingObservers(facts, explaining);
  candidates.push(...missing, ...aboutTargets.candidates);
  candidates.push(...failingFamilies(facts));
  const unlisted = notListedFinding(input);
  if (unlisted) candidates.push(unlisted);
  candidates.push(...failingHosts(facts, explaining));
  yield;
  const { open, findings, memory, opensInMs } = liveFindings(
    candidates,
    facts,
    ends.causes,
    broken,
    tallies,
  );
  yield;
  const worst = [...findings].sort(worstFirst);
  const unexplained = yield* unexplainedPaths(broken, open);
  const unexplainedTargets = aboutTargets.unexplained(open);
  const failing = { unexplained, unexplainedTargets };
  const wantsRows = opensInMs !== undefined || isChanging(findings, failing, input.previous);
  const past = yield* rememberCauses(
    shownCauses(open, input.now),
    ends.causes,
    input,
    explainedBroken,
  );
  const output = {
    findings: withHostEvidence(worst, facts, memory),
    ...failing,
    notKnown: notKnownPlanes(broken, localNode),
    suspected: suspectedNodes(observations, index, input.now),
    opensInMs,
    wantsRows,
    outdated: [...outdatedRows(open, broken), ...rowsOfLikeNodes(candidates, broken, input.now)],
    memory,
    shadows: aboutTargets.shadows,
    past,
    livesSince,
    stray,
  };
  observations.entries.giveBack(index);
  return output;
}

/** The causes of broken paths of the open findings. */
function* shownCauses(open: readonly Candidate[], now: number) {
  for (const { finding, explained, sinceMs } of open) {
    // What has just fallen silent may not have been heard by chance.
    const isSilent =
      silentKinds.has(finding.kind) &&
      finding.direction !== 'inbound' &&
      now - sinceMs >= sureSilentMs;
    for (const cause of explained) if (cause.trouble === 'broken') yield { cause, isSilent };
  }
}

/** What is told as silent so long after its trouble began is silent. */
const sureSilentMs = 10_000;
const silentKinds = kindsThat('isSilent');

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
