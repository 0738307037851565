import {
  endsOf,
  isoTime,
  settleMs,
  type Candidate,
  type Facts,
  type NamedSight,
} from './build-finding.js';
import { planeOf, protocolsOf } from './channel-mask.js';
import { toEvidence } from './evidence-paths.js';
import type { Finding, FindingKind } from './finding.js';
import { nameCause, namesOf } from './named-cause.js';
import { nextCommands } from './commands.js';
import { withCommas } from './whole-number.js';

/** More findings of one kind than this are folded into one. */
const mostAlone = 16;
/** A folded finding stays folded until fewer than this are left, so that its id does not flap. */
const leastFolded = 13;
const mostExamples = 16;
const mostEvidence = 10;

/** The id of the finding that stands for many of one kind. */
export function foldedId(kind: FindingKind): string {
  return `${kind}:many`;
}

/**
 * Splits causes into those that get a finding of their own, and groups of one kind that get one
 * finding together. The local node always has its own.
 */
export function splitByKind(sights: readonly NamedSight[], { input, localNode }: Facts) {
  const byKind = new Map<string, NamedSight[]>();
  for (const sight of sights) {
    const { subject } = sight.cause;
    const isOwn = subject.type === 'node' && subject.node === localNode;
    const key = isOwn ? 'own' : `${sight.name.kind} ${subject.type}`;
    const known = byKind.get(key);
    if (known) known.push(sight);
    else byKind.set(key, [sight]);
  }
  const [alone, folded]: [NamedSight[], (readonly NamedSight[])[]] = [[], []];
  for (const [key, group] of byKind) {
    const kind = group[0]?.name.kind;
    const wasFolded =
      kind !== undefined && input.previous?.memory.get(foldedId(kind))?.finding !== undefined;
    const isMany = group.length > mostAlone || (wasFolded && group.length >= leastFolded);
    if (key !== 'own' && isMany) folded.push(group);
    else alone.push(...group);
  }
  return { alone, folded };
}

/** Writes the one finding of many causes of one kind. There may be thousands, so it is done in steps. */
export function* foldedFinding(
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
  const finding: Finding = {
    id: foldedId(first.name.kind),
    kind: first.name.kind,
    severity: first.cause.trouble === 'broken' ? 'broken' : 'degraded',
    ...(plane && { plane }),
    protocols: protocolsOf(mask),
    since: timeOf(began),
    seenBy: { failing: seen.failing, of: seen.of },
    explains: group.reduce((sum, { cause }) => sum + cause.paths, 0),
    confidence: 0.9,
    count: group.length,
    examples: names.slice(0, mostExamples),
    text: textOf(group, facts, names),
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

function textOf(group: readonly NamedSight[], { input, index }: Facts, names: readonly string[]) {
  const [first] = group;
  const type = first?.cause.subject.type;
  const examples = names.slice(0, 3).join(', ');
  const count = withCommas(group.length);
  if (type === 'pair')
    return `${count} pairs of nodes ${wordsOf(first, input.probePort)} (${examples}, ...)`;
  if (type === 'zones')
    return `${count} pairs of zones ${wordsOf(first, input.probePort)} (${examples}, ...)`;
  const all = withCommas(index.size);
  return `${count} of ${all} nodes ${wordsOf(first, input.probePort)} (${examples}, ...)`;
}

function wordsOf(first: NamedSight | undefined, probePort: number): string {
  const kind = first?.name.kind;
  if (kind === 'http-filtered') return `do not answer at port ${probePort}`;
  return (kind && words[kind]) ?? 'cannot reach each other';
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
