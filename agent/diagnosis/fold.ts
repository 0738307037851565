import { endsOf, settleMs, type NamedSight } from './build-finding.js';
import { isoTime, type DiagnosisInput } from './nouns/diagnosis-input.js';
import type { Candidate } from './nouns/candidate.js';
import type { Facts } from './facts.js';
import type { Cause } from './nouns/cause.js';
import { planeOf, protocolsOf } from './nouns/channel-mask.js';
import type { ClusterIndex } from './nouns/cluster-index.js';
import { nextCommands } from './commands.js';
import { toEvidence } from './evidence-paths.js';
import type { Finding, FindingKind } from './nouns/finding.js';
import { nameCause, namesOf } from './nouns/named-cause.js';
import { by } from './text.js';
import { withCommas } from './whole-number.js';

/** More findings of one kind than this are folded. */
const mostAlone = 16;
/** Folded ones stay folded until fewer than this are left, so that their ids do not flap. */
const leastFolded = 13;
const mostExamples = 16;
const mostEvidence = 10;

/** What a finding is counted with where there are many. */
export interface Likeness {
  /** Of how many there are too many is counted by kind. */
  readonly kind: string;
  /** The id of the one finding that it becomes a part of. */
  readonly id: string;
}

/**
 * Splits what was found into that which gets a finding of its own, and groups that get one finding
 * together, by its id.
 * @param likenessOf undefined for what always gets its own
 */
export function splitMany<T>(
  all: readonly T[],
  likenessOf: (one: T) => Likeness | undefined,
  previous: DiagnosisInput['previous'],
) {
  const alone: T[] = [];
  const byKind = new Map<string, Map<string, T[]>>();
  for (const one of all) {
    const like = likenessOf(one);
    if (!like) {
      alone.push(one);
      continue;
    }
    const groups = byKind.get(like.kind) ?? new Map<string, T[]>();
    byKind.set(like.kind, groups);
    const group = groups.get(like.id);
    if (group) group.push(one);
    else groups.set(like.id, [one]);
  }
  const folded: [id: string, group: readonly T[]][] = [];
  for (const groups of byKind.values()) {
    const wasFolded = [...groups.keys()].some((id) => previous?.memory.get(id)?.finding);
    const count = [...groups.values()].reduce((sum, { length }) => sum + length, 0);
    const isMany = count > mostAlone || (wasFolded && count >= leastFolded);
    for (const [id, group] of groups) {
      if (isMany && group.length > 1) folded.push([id, group]);
      else alone.push(...group);
    }
  }
  return { alone, folded };
}

/**
 * Which causes are told together: of one kind, of nodes, pairs or zones, and of nodes apart those that reach nobody and
 * those of which the cluster itself says what is wrong. The local node always has its own finding.
 */
export function likenessOf(
  { cause, name: { kind } }: NamedSight,
  { index, localNode }: Facts,
): Likeness | undefined {
  const { subject } = cause;
  const { type } = subject;
  const parts: string[] = type === kind ? [] : [type];
  if (type === 'node') {
    if (subject.node === localNode) return undefined;
    parts.pop();
    if (isOutbound(cause)) parts.push('outbound');
    if (index.nodes[subject.node]?.known !== undefined) parts.push('known');
  }
  return { kind: `${kind} ${type}`, id: [kind, 'many', ...parts].join(':') };
}

/** What a finding says of how many it stands for. */
export function manyFields(names: readonly string[]) {
  return { count: names.length, examples: names.slice(0, mostExamples) };
}

/** The first names, for a text. */
export function exampleText(names: readonly string[]): string {
  return `(${[...names.slice(0, 3), ...(names.length > 3 ? ['...'] : [])].join(', ')})`;
}

/** Writes the one finding of many causes of one kind. There may be thousands, so it is done in steps. */
export function* foldedFinding(
  id: string,
  group: readonly NamedSight[],
  facts: Facts,
): Generator<void, Candidate> {
  const { input, index } = facts;
  const byAge = [...group].sort((a, b) => b.beganMsAgo - a.beganMsAgo);
  const [first] = byAge;
  if (!first) throw new RangeError('expected causes to fold, got none');
  yield;
  const began = byAge[Math.floor(byAge.length / 10)]?.beganMsAgo ?? first.beganMsAgo;
  const mask = group.reduce((bits, { cause }) => bits | cause.mask, 0);
  const most = group.reduce((best, one) => (size(one) > size(best) ? one : best), first);
  const seen = most.seen();
  const plane = planeOf(mask);
  const timeOf = (ageMs: number) => isoTime(input, input.now - ageMs);
  const names = group.map(({ cause }) => namesOf(cause.subject, index).join(' - ')).sort();
  yield;
  const { from, to } = endsOf(first, facts);
  const { direction } = first.name;
  const isOneWay =
    direction !== undefined && group.every(({ name }) => name.direction === direction);
  const finding: Finding = {
    id,
    kind: first.name.kind,
    severity: first.cause.trouble === 'broken' ? 'broken' : 'degraded',
    ...(plane && { plane }),
    protocols: protocolsOf(mask),
    ...(isOneWay && { direction }),
    since: timeOf(began),
    seenBy: { failing: seen.failing, of: seen.of },
    explains: group.reduce((sum, { cause }) => sum + cause.paths, 0),
    confidence: 0.9,
    ...manyFields(names),
    text: `${subjectsOf(group, index)} ${wordsOf(first, { mask, isOneWay, probePort: input.probePort })} ${exampleText(names)}`,
    next: nextCommands({
      kind: first.name.kind,
      from,
      to,
      isEverywhere: false,
      plane,
      probePort: input.probePort,
      namespace: input.namespace,
    }),
    evidence: group.slice(0, mostEvidence).flatMap(({ cause, tally, sample }) =>
      toEvidence(cause, tally, sample.slice(0, 1), {
        nameOf: (number) => index.nodes[number]?.name ?? '',
        timeOf,
      }).slice(0, 1),
    ),
  };
  yield;
  const causes = group.map(({ cause }) => nameCause(cause, index));
  const explained = group.flatMap(({ cause, oneFlow }) => [cause, ...oneFlow]);
  return { finding, sinceMs: input.now - began, settleMs: settleMs(most), causes, explained };
}

function size({ cause }: NamedSight): number {
  return cause.entries.length;
}

function subjectsOf(group: readonly NamedSight[], { size: all }: ClusterIndex): string {
  const count = withCommas(group.length);
  const type = group[0]?.cause.subject.type;
  if (type === 'pair') return `${count} pairs of nodes`;
  return type === 'zones' ? `${count} pairs of zones` : `${count} of ${withCommas(all)} nodes`;
}

interface Shared {
  readonly mask: number;
  /** All have the same direction. */
  readonly isOneWay: boolean;
  readonly probePort: number;
}

function wordsOf({ cause, name: { kind } }: NamedSight, shared: Shared): string {
  const { mask, isOneWay, probePort } = shared;
  if (isOutbound(cause)) {
    return `cannot reach the others${by(mask)}${isOneWay ? ', which reach them' : ''}`;
  }
  if (kind === 'http-filtered') return `do not answer at port ${probePort}`;
  return words[kind] ?? 'cannot reach each other';
}

/** Whether a node reaches nobody, and nothing is said of who reaches it. */
function isOutbound({ subject, trouble, ways }: Cause): boolean {
  return subject.type === 'node' && trouble === 'broken' && ways === 'out';
}

const words: Readonly<Partial<Record<FindingKind, string>>> = {
  'node-down': 'are down: nobody who looks reaches them, and nothing was heard from them since',
  'node-isolated': 'are not reached or reach nobody, but are alive',
  'agent-down': 'have no agent that answers',
  'endpoint-down': 'have an endpoint whose server does not answer',
  'host-plane': 'do not answer at their node IP',
  'endpoint-plane': 'do not answer at their endpoint',
  'icmp-filtered': 'do not answer ping',
  lossy: 'lose probes',
  slow: 'have become slow',
  mtu: 'lose large packets',
};
