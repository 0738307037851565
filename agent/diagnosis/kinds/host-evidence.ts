import { changeText, signText } from '../../model/host-words.js';
import type { Facts } from '../evidence/facts.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import { isoTime, type DiagnosisInput, type DiagnosisOutput } from '../nouns/diagnosis-input.js';
import type { Finding } from '../nouns/finding.js';
import type { FindingMemory } from '../nouns/memory.js';
import { groupNamed } from '../nouns/node-groups.js';
import { hostSign } from './host-sign.js';
import { jitterMs, nearestEvidence, sharedText, type GroupOfHosts } from './shared-evidence.js';

type FindingSign = NonNullable<Finding['signs']>[number];
type FindingChange = NonNullable<Finding['changes']>[number];

/** What began longer before or after a finding has nothing to do with it, as far as anybody can tell. */
const nearMs = 300_000;
/** So many signs and changes of hosts stand beside a finding, the nearest in time first. */
const [mostSigns, mostChanges] = [4, 4];
/** A finding begins with the first probe that fails, and what made it fail may be found a little later. */
const slackMs = 2000;

/**
 * Adds to findings what the hosts at their ends show since about the same time, and what changed on them in the five minutes before, the
 * nearest first. It is evidence that something else happened then, and says nothing of causes.
 * @param previous what was told last, so that the times stay as they were
 * @param memory since when the findings are, in monotonic milliseconds
 */
export function withHostEvidence(
  findings: readonly Finding[],
  facts: Facts,
  previous: DiagnosisOutput | undefined,
  memory: ReadonlyMap<string, Pick<FindingMemory, 'shownSinceMs'>>,
): Finding[] {
  const before = new Map(previous?.findings.map((finding) => [finding.id, finding]));
  return findings.map((finding) => {
    const former = before.get(finding.id);
    const own = byClockOf(finding, facts, memory.get(finding.id)?.shownSinceMs);
    const signs = signsOf(finding, own, former).map((sign) => withTime(sign, former));
    const changes = changesOf(finding, own, former).map((change) => withSameTime(change, former));
    if (signs.length + changes.length === 0) return finding;
    return {
      ...finding,
      ...(signs.length > 0 && { signs }),
      ...(changes.length > 0 && { changes }),
    };
  });
}

/**
 * Whether something on a host began at about the same time as a finding.
 * @param beganMs by the clock of `input.now`
 */
export function isNear(
  { since }: Pick<Finding, 'since'>,
  beganMs: number,
  { wallOffsetMs }: Pick<DiagnosisInput, 'wallOffsetMs'>,
): boolean {
  return Math.abs(beganMs - (Date.parse(since) - wallOffsetMs)) <= nearMs;
}

/** The clock may have been set while a finding is open: what stands beside it is told by the clock of its beginning. */
function byClockOf({ since }: Finding, facts: Facts, sinceMs: number | undefined): Facts {
  if (sinceMs === undefined) return facts;
  return { ...facts, input: { ...facts.input, wallOffsetMs: Date.parse(since) - sinceMs } };
}

function signsOf(finding: Finding, facts: Facts, former: Finding | undefined): FindingSign[] {
  const { input, index, observations } = facts;
  const sinceMs = Date.parse(finding.since) - input.wallOffsetMs;
  const isFolded = finding.kind === hostSign.kind && finding.count !== undefined;
  const ends = isFolded ? (finding.examples ?? []) : endsOf(finding, index);
  const seenHost = (node: string) => observations.hosts.get(index.numberOf.get(node) ?? -1);
  const group = groupOf(
    finding,
    ends,
    (node) => hasRow(node, facts) || (seenHost(node)?.signs ?? []).length > 0,
  );
  const near = ends
    .flatMap((node) => {
      const seen = seenHost(node);
      return (seen?.signs ?? []).map((sign) => ({
        node,
        sign,
        key: `${sign.sign} ${sign.plane}`,
        lastToldMs: seen?.isStale ? input.now - seen.bodyAgeMs : undefined,
        atMs: input.now - (seen?.bodyAgeMs ?? 0) - 1000 * sign.ageSeconds,
      }));
    })
    .filter(({ sign, atMs, lastToldMs }) => {
      const isItself = finding.kind === hostSign.kind && finding.sign === sign.sign;
      // The text of many has no figures, so their signs are told.
      return isFolded
        ? isItself && lastToldMs === undefined
        : !isItself && isNear(finding, atMs, input);
    });
  const wasTold = ({ node, sign: { sign, plane } }: (typeof near)[number]): boolean =>
    former?.signs?.some((one) => one.node === node && one.sign === sign && one.plane === plane) ===
    true;
  return nearestEvidence(near, { sinceMs, group, wasTold, most: mostSigns }).map(
    ({ node, sign, atMs, lastToldMs, sharedBy }) => ({
      node,
      sign: sign.sign,
      text: sharedText(signText(sign), 'this sign', sharedBy, group),
      value: sign.value,
      limit: sign.limit,
      since: isoTime(input, atMs),
      ...(sign.orBefore && { orBefore: true as const }),
      ...(lastToldMs !== undefined && { lastToldAt: isoTime(input, lastToldMs) }),
      plane: sign.plane,
      ...(sharedBy && { sharedBy }),
    }),
  );
}

function changesOf(finding: Finding, facts: Facts, former: Finding | undefined): FindingChange[] {
  const { input, index, observations } = facts;
  const sinceMs = Date.parse(finding.since) - input.wallOffsetMs;
  const ends = endsOf(finding, index);
  const changesAt = (node: string) => {
    const seen = observations.hosts.get(index.numberOf.get(node) ?? -1);
    const told = (seen?.changes ?? []).map((change) => ({
      change,
      foundMs: input.now - (seen?.bodyAgeMs ?? 0) - 1000 * change.ageSeconds,
    }));
    const own = input.changesOf?.(node) ?? [];
    return [...told, ...own.map((change) => ({ change, foundMs: change.foundMs }))];
  };
  const near = ends
    .flatMap((node) =>
      changesAt(node).map(({ change, foundMs }) => ({
        node,
        change,
        key: `${change.change} ${change.about}`,
        atMs: foundMs,
      })),
    )
    .filter(({ change, atMs }) => {
      const earliestMs = atMs - 1000 * change.withinSeconds;
      return earliestMs <= sinceMs + slackMs && atMs >= sinceMs - nearMs;
    });
  const group = groupOf(finding, ends, (node) => hasRow(node, facts) || changesAt(node).length > 0);
  const wasTold = ({ node, change }: (typeof near)[number]): boolean =>
    former?.changes?.some(
      (one) => one.node === node && one.change === change.change && one.to === change.to,
    ) === true;
  return nearestEvidence(near, { sinceMs, group, wasTold, most: mostChanges }).map(
    ({ node, change, atMs, sharedBy }) => ({
      node,
      at: isoTime(input, atMs),
      withinSeconds: change.withinSeconds,
      change: change.change,
      text: sharedText(changeText(change), 'such a change', sharedBy, group),
      from: change.from,
      to: change.to,
      ...(sharedBy && { sharedBy }),
    }),
  );
}

/** The nodes of the group of a finding; undefined for one that names its nodes. */
function groupOf(
  { group }: Finding,
  nodes: readonly string[],
  tells: (node: string) => boolean,
): GroupOfHosts | undefined {
  return group && { size: nodes.length, known: nodes.filter(tells).length };
}

/** Whether a node has a row that is believed. One of a starved observer is not, though it tells of its host. */
function hasRow(node: string, { index, observations }: Facts): boolean {
  return observations.observerOf[index.numberOf.get(node) ?? -1] !== -1;
}

/** Whether a finding names a node, or it is one of its group. */
export function isAtEnd(finding: Finding, node: string, index: ClusterIndex): boolean {
  const { group } = finding;
  return group
    ? groupNamed(group, index)?.has[index.numberOf.get(node) ?? -1] === 1
    : endsOf(finding, index).includes(node);
}

/** The nodes that a finding names, or those of its group. Of one about zones or the cluster nobody knows which host matters. */
export function endsOf({ node, pair, group }: Finding, index: ClusterIndex): readonly string[] {
  if (!group) return pair ?? (node === undefined ? [] : [node]);
  return (groupNamed(group, index)?.members ?? []).map((member) => index.nodes[member]?.name ?? '');
}

function withTime(sign: FindingSign, former: Finding | undefined): FindingSign {
  const known = former?.signs?.find(
    (one) => one.node === sign.node && one.sign === sign.sign && one.plane === sign.plane,
  );
  if (!known) return sign;
  const [since, lastToldAt] = [
    steadyTime(sign.since, known.since),
    steadyTime(sign.lastToldAt, known.lastToldAt),
  ];
  return { ...sign, since, ...(lastToldAt !== undefined && { lastToldAt }) };
}

/** A time as it was told before, where the difference is none that was measured. */
function steadyTime<T extends string | undefined>(time: T, before: T): T {
  if (time === undefined || before === undefined) return time;
  return Math.abs(Date.parse(before) - Date.parse(time)) > jitterMs ? time : before;
}

function withSameTime(change: FindingChange, former: Finding | undefined): FindingChange {
  const known = former?.changes?.find(
    ({ node, change: kind, from, to, at }) =>
      node === change.node &&
      kind === change.change &&
      from === change.from &&
      to === change.to &&
      Math.abs(Date.parse(at) - Date.parse(change.at)) <= jitterMs,
  );
  return known ? { ...change, at: known.at } : change;
}
