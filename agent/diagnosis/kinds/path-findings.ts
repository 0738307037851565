import { tracersOf } from '../evidence/evidence-paths.js';
import { ageOfOldestTenth } from '../evidence/begin.js';
import { confidenceOf, type Candidate, type Direction, type Finding } from '../nouns/finding.js';
import { planeOf, protocolsOf } from '../nouns/channel-mask.js';
import { isoTime, type DiagnosisInput } from '../nouns/diagnosis-input.js';
import { nameCause, namesOf } from '../nouns/named-cause.js';
import { exampleText, foldKeyOf, isOutbound, manyFields, splitMany } from './fold.js';
import { directionOf } from './direction.js';
import type { PathKind } from './kind.js';
import { kindOf, pathKinds, severityOf } from './kinds.js';
import { withCommas } from '../../model/whole-number.js';
import { by, nodeOfCause } from './words.js';
import type { PathSight } from '../life/path-sight.js';
import { commandSubject, written } from './command.js';
import { pathFindingId } from './finding-id.js';
import { isLocal } from './of-nodes.js';

/** So many failing paths stand beside a folded finding. */
const mostEvidence = 10;

/** A cause of paths with its kind. */
interface Named {
  readonly sight: PathSight;
  readonly kind: PathKind;
}

/** Writes the findings: one for each cause, or one for many of a kind. Each has an id of its own. */
export function* pathFindings(
  sights: readonly PathSight[],
  previous: DiagnosisInput['previous'],
): Generator<void, Candidate[]> {
  const named = sights.map((sight) => ({ sight, kind: kindOf(pathKinds, sight) }));
  yield;
  const keyOf = ({ sight, kind: { kind } }: Named) => foldKeyOf(sight, kind);
  const { alone, folded } = splitMany(named, keyOf, previous);
  yield;
  const candidates = new Map<string, Candidate>();
  const add = (candidate: Candidate) => {
    const { id, direction = 'unknown' } = candidate.finding;
    const isTaken = candidates.has(id);
    const key = isTaken ? `${id}:${direction}` : id;
    const finding = isTaken ? { ...candidate.finding, id: key } : candidate.finding;
    candidates.set(key, { ...candidate, finding });
  };
  for (const one of alone) {
    add(pathFinding(one));
    yield;
  }
  for (const [id, group] of folded) {
    add(yield* foldedFinding(id, group));
    yield;
  }
  return [...candidates.values()];
}

/** Writes the one finding of many causes of one kind. There may be thousands, so it is done in steps. */
function* foldedFinding(id: string, group: readonly Named[]): Generator<void, Candidate> {
  const [first] = group;
  if (!first) throw new RangeError('expected causes to fold, got none');
  const { kind } = first;
  const { input } = first.sight;
  const sights = group.map(({ sight }) => sight);
  const directions = new Set<Direction | undefined>();
  for (const sight of sights) {
    if (directions.size < 2) directions.add(directionOf(sight));
    yield;
  }
  const [direction] = directions.size === 1 ? directions : [];
  const sinceMs = input.now - ageOfOldestTenth(sights.map(({ beganMsAgo }) => beganMsAgo));
  const mask = sights.reduce((bits, { cause }) => bits | cause.knownChannels, 0);
  const oldest = sights.reduce((best, one) => (one.beganMsAgo > best.beganMsAgo ? one : best));
  const size = ({ cause }: PathSight) => cause.entries.length;
  const most = sights.reduce((best, one) => (size(one) > size(best) ? one : best), oldest);
  const { failing, of, reporting } = most.seen();
  const plane = planeOf(mask);
  // A node may have a cause on one channel, and another one on others.
  const subjects = sights.map(({ cause }) => namesOf(cause.subject, input.index).join(' - '));
  const names = [...new Set(subjects)].sort();
  // Which of them began first changes with each row, and nobody could follow commands that name another one each time.
  const shown = sights[subjects.indexOf(names[0] ?? '')] ?? first.sight;
  yield;
  const finding: Finding = {
    id,
    kind: kind.kind,
    severity: severityOf(most.cause.trouble),
    ...(plane && { plane }),
    protocols: protocolsOf(mask),
    ...(direction && { direction }),
    since: isoTime(input, sinceMs),
    seenBy: { failing, of: reporting },
    ...(most.cause.trouble === 'broken' && { looked: { of } }),
    explains: sights.reduce((sum, { cause }) => sum + cause.paths, 0),
    confidence: 0.9,
    ...manyFields(names),
    text: `${sentenceOf(first, sights, names.length, mask, direction)} ${exampleText(names)}`,
    next: written(kind.next(commandSubject(shown, shown.ends().to, mask))),
    evidence: sights.slice(0, mostEvidence).flatMap((sight) => sight.evidence(1)),
  };
  yield;
  const causes = sights.map(({ found }) => nameCause(found, input.index));
  const explained = sights.flatMap(({ found, oneFlow }) => [found, ...oneFlow]);
  return { finding, sinceMs, settleMs: kind.waitsMs(most), causes, explained };
}

/** What is so of all of them. Of two it is told whether each way was seen to fail. */
function sentenceOf(
  { sight: { cause, input }, kind }: Named,
  sights: readonly PathSight[],
  count: number,
  mask: number,
  direction: Direction | undefined,
): string {
  const { type } = cause.subject;
  const isOfTwo = type === 'pair' || type === 'zones';
  const subjects = isOfTwo
    ? `${withCommas(count)} pairs of ${type === 'pair' ? 'nodes' : 'zones'}`
    : `${withCommas(count)} of ${withCommas(input.index.size)} nodes`;
  if (isOutbound(cause))
    return `${subjects} cannot reach the others${by(mask)}${direction ? ', which reach them' : ''}`;
  const sentence = `${subjects} ${kind.plural({ probePort: input.probePort, channels: mask })}`;
  if (!isOfTwo || cause.trouble !== 'broken') return sentence;
  const both = sights.filter(({ cause: { ways } }) => ways === 'both').length;
  if (both === 0 && type === 'pair')
    return `in ${subjects} the first cannot reach the second${by(mask)}`;
  return `${sentence}${both === sights.length ? '' : ', or one cannot reach the other'}${by(mask)}`;
}

/** Writes the finding of a cause of paths: its text, evidence and next commands. */
function pathFinding({ sight, kind }: Named): Candidate {
  const { found, cause, input, oneFlow, beganMsAgo } = sight;
  const { failing, of, reporting } = sight.seen();
  const node = nodeOfCause(sight);
  const plane = planeOf(cause.knownChannels);
  const direction = directionOf(sight);
  const isUnsure = cause.isPartial || cause.trouble !== 'broken';
  const sinceMs = input.now - beganMsAgo;
  const id = pathFindingId(found, input.index);
  const tracedBy = tracersOf(id, cause, sight.explained.tally);
  const finding: Finding = {
    id,
    kind: kind.kind,
    severity: severityOf(cause.trouble),
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
    text: kind.text(sight),
    next: written(kind.next(commandSubject(sight, node ?? sight.ends().to, cause.knownChannels))),
    evidence: sight.evidence(),
    ...(tracedBy.length > 0 && { tracedBy }),
    ...(isLocal(sight) && { local: true as const }),
  };
  const causes = [nameCause(found, input.index)];
  const explained = [found, ...oneFlow];
  return { finding, sinceMs, settleMs: kind.waitsMs(sight), causes, explained };
}

function subjectFields({ cause: { subject }, input }: PathSight): Partial<Finding> {
  const names = namesOf(subject, input.index);
  const [first = '', second = ''] = names;
  if (subject.type === 'node') return { node: first };
  if (subject.type === 'zones') return { zones: names };
  return subject.type === 'pair' ? { pair: [first, second] } : {};
}
