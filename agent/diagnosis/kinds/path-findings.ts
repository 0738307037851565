import type { Candidate } from '../nouns/candidate.js';
import { planeOf, protocolsOf } from '../nouns/channel-mask.js';
import { isoTime, type DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { Finding } from '../nouns/finding.js';
import { nameCause, namesOf } from '../nouns/named-cause.js';
import { exampleText, foldKeyOf, isOutbound, manyFields, splitMany } from './fold.js';
import type { NamedSight } from './kind.js';
import { nextOf, pathFinding } from './path-finding.js';
import { withCommas } from '../../model/whole-number.js';
import { by } from './words.js';

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
  const names = group
    .map(({ sight: { cause } }) => namesOf(cause.subject, index).join(' - '))
    .sort();
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
    text: `${sentenceOf(group, first, mask, isOneWay)} ${exampleText(names)}`,
    next: nextOf(first, undefined, mask),
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
  mask: number,
  isOneWay: boolean,
): string {
  const { trouble, subject } = first.sight.cause;
  const [subjects, words] = [subjectsOf(first, group.length), wordsOf(first, mask, isOneWay)];
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
