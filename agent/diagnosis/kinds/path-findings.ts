import { tracersOf } from '../evidence/evidence-paths.js';
import { confidenceOf, type Candidate, type Finding } from '../nouns/finding.js';
import { planeOf, protocolsOf } from '../nouns/channel-mask.js';
import { isoTime, type DiagnosisInput } from '../nouns/diagnosis-input.js';
import { nameCause, namesOf } from '../nouns/named-cause.js';
import { exampleText, foldKeyOf, isOutbound, manyFields, splitMany } from './fold.js';
import type { NamedSight } from './kind.js';
import { withCommas } from '../../model/whole-number.js';
import { by, nodeOfCause } from './words.js';
import type { PathSight } from '../life/path-sight.js';
import { written } from './command.js';
import { pathFindingId } from './finding-id.js';
import { isLocal } from './of-nodes.js';
import { isRefused } from './waits.js';

/** So many failing paths stand beside a folded finding. */
const mostEvidence = 10;

/** Writes the findings: one for each cause, or one for many of a kind. Each has an id of its own. */
export function* pathFindings(
  sights: readonly NamedSight[],
  previous: DiagnosisInput['previous'],
): Generator<void, Candidate[]> {
  const { alone, folded } = splitMany(sights, foldKeyOf, previous);
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

/** Writes the one finding of many causes of one kind. There may be thousands, so it is done in steps. */
function* foldedFinding(id: string, group: readonly NamedSight[]): Generator<void, Candidate> {
  const byAge = [...group].sort((a, b) => b.sight.beganMsAgo - a.sight.beganMsAgo);
  const [first] = byAge;
  if (!first) throw new RangeError('expected causes to fold, got none');
  const { input } = first.sight;
  const { index } = input;
  yield;
  const began = (byAge[Math.floor(byAge.length / 10)] ?? first).sight.beganMsAgo;
  const mask = group.reduce((bits, { sight: { cause } }) => bits | cause.knownChannels, 0);
  const size = ({ sight: { cause } }: NamedSight) => cause.entries.length;
  const most = group.reduce((best, one) => (size(one) > size(best) ? one : best), first);
  const { failing, of, reporting } = most.sight.seen();
  const plane = planeOf(mask);
  // A node may have a cause on one channel, and another one on others.
  const subjects = group.map(({ sight: { cause } }) => namesOf(cause.subject, index).join(' - '));
  const names = [...new Set(subjects)].sort();
  // Which of them began first changes with each row, and nobody could follow commands that name another one each time.
  const shown = group[subjects.indexOf(names[0] ?? '')] ?? first;
  yield;
  const { kind, direction } = first;
  const isOneWay = direction !== undefined && group.every((one) => one.direction === direction);
  const finding: Finding = {
    id,
    kind: kind.kind,
    severity: kind.severity,
    ...(plane && { plane }),
    protocols: protocolsOf(mask),
    ...(isOneWay && { direction }),
    since: isoTime(input, input.now - began),
    seenBy: { failing, of: reporting },
    ...(most.sight.cause.trouble === 'broken' && { looked: { of } }),
    explains: group.reduce((sum, { sight: { cause } }) => sum + cause.paths, 0),
    confidence: 0.9,
    ...manyFields(names),
    text: `${sentenceOf(group, first, { count: names.length, mask, isOneWay })} ${exampleText(names)}`,
    next: nextOf(shown, undefined, mask),
    evidence: group.slice(0, mostEvidence).flatMap(({ sight }) => sight.evidence(1)),
  };
  yield;
  const causes = group.map(({ sight: { found } }) => nameCause(found, index));
  const explained = group.flatMap(({ sight: { found, oneFlow } }) => [found, ...oneFlow]);
  return { finding, sinceMs: input.now - began, settleMs: kind.waitsMs(most), causes, explained };
}

/** What is so of all of them. Of two it is told whether each way was seen to fail. */
function sentenceOf(
  group: readonly NamedSight[],
  first: NamedSight,
  { count, mask, isOneWay }: { count: number; mask: number; isOneWay: boolean },
): string {
  const { trouble, subject } = first.sight.cause;
  const [subjects, words] = [subjectsOf(first, count), wordsOf(first, mask, isOneWay)];
  const isOfTwo = subject.type === 'pair' || subject.type === 'zones';
  if (trouble !== 'broken' || !isOfTwo) return `${subjects} ${words}`;
  const both = group.filter(({ sight: { cause } }) => cause.ways === 'both').length;
  if (both === 0 && subject.type === 'pair')
    return `in ${subjects} the first cannot reach the second${by(mask)}`;
  const or = both === group.length ? '' : ', or one cannot reach the other';
  return `${subjects} ${words}${or}${by(mask)}`;
}

function subjectsOf({ sight: { cause, input } }: NamedSight, length: number): string {
  const count = withCommas(length);
  const { type } = cause.subject;
  if (type === 'pair') return `${count} pairs of nodes`;
  return type === 'zones'
    ? `${count} pairs of zones`
    : `${count} of ${withCommas(input.index.size)} nodes`;
}

function wordsOf({ sight, kind }: NamedSight, mask: number, isOneWay: boolean): string {
  if (isOutbound(sight.cause)) {
    return `cannot reach the others${by(mask)}${isOneWay ? ', which reach them' : ''}`;
  }
  return kind.plural({ probePort: sight.input.probePort, channels: mask });
}

/** Writes the finding of a cause of paths: its text, evidence and next commands. */
export function pathFinding(named: NamedSight): Candidate {
  const { sight, kind, direction } = named;
  const { found, cause, input, oneFlow, beganMsAgo } = sight;
  const { failing, of, reporting } = sight.seen();
  const node = nodeOfCause(sight);
  const plane = planeOf(cause.knownChannels);
  const isUnsure = cause.isPartial || cause.trouble !== 'broken';
  const sinceMs = input.now - beganMsAgo;
  const id = pathFindingId(found, input.index);
  const tracedBy = tracersOf(id, cause, sight.explained.tally);
  const finding: Finding = {
    id,
    kind: kind.kind,
    severity: kind.severity,
    ...subjectFields(sight),
    ...(plane && { plane }),
    ...kind.fields?.(sight),
    protocols: protocolsOf(cause.knownChannels),
    ...(direction && { direction }),
    since: isoTime(input, sinceMs),
    seenBy: { failing, of: reporting },
    ...(cause.trouble === 'broken' && { looked: { of } }),
    explains: oneFlow.reduce((sum, { paths }) => sum + paths, cause.paths),
    confidence: confidenceOf(cause.paths, cause.well, isUnsure ? 0.8 : 1),
    text: kind.text(named),
    next: nextOf(named, node),
    evidence: sight.evidence(),
    ...(tracedBy.length > 0 && { tracedBy }),
    ...(isLocal(sight) && { local: true as const }),
  };
  const causes = [nameCause(found, input.index)];
  const explained = [found, ...oneFlow];
  return { finding, sinceMs, settleMs: kind.waitsMs(named), causes, explained };
}

/** The commands of a kind, for a finding or for many that are told as one. */
export function nextOf(
  { sight, kind, working }: NamedSight,
  to = sight.ends().to,
  mask = sight.cause.knownChannels,
): string[] {
  const { probePort, namespace } = sight.input;
  const { type } = sight.cause.subject;
  const about = {
    to,
    host: to?.host[0],
    endpoint: to?.endpoint[0],
    fromHost: sight.ends().from?.host[0],
    probePort,
    namespace,
    isEverywhere: type === 'cluster',
    isBetweenGroups: type === 'groups',
    mayBeDown: sight.isAboutServers && working === 0 && !isRefused(sight),
    plane: planeOf(mask),
  };
  return written(kind.next(about));
}

function subjectFields({ cause: { subject }, input }: PathSight): Partial<Finding> {
  const names = namesOf(subject, input.index);
  const [first = '', second = ''] = names;
  switch (subject.type) {
    case 'cluster':
    case 'group':
    case 'groups':
      return {};
    case 'node':
      return { node: first };
    case 'zones':
      return { zones: names };
    case 'pair':
      return { pair: [first, second] };
  }
}
