import { changeText, signText } from '../../model/host-words.js';
import type { Facts } from '../evidence/facts.js';
import { isoTime, type DiagnosisInput, type DiagnosisOutput } from '../nouns/diagnosis-input.js';
import type { Finding } from '../nouns/finding.js';
import { hostSign } from './host-sign.js';

type FindingSign = NonNullable<Finding['signs']>[number];
type FindingChange = NonNullable<Finding['changes']>[number];

/** What began longer before or after a finding has nothing to do with it, as far as anybody can tell. */
const nearMs = 300_000;
/** So many signs and changes of hosts stand beside a finding, the nearest in time first. */
const [mostSigns, mostChanges] = [4, 4];
/** A finding begins with the first probe that fails, and what made it fail may be found a little later. */
const slackMs = 2000;
/** Ages are rounded, and clocks are read at different moments. */
const jitterMs = 2000;

/**
 * Adds to findings what the hosts at their ends show since about the same time, and what changed on them in the five minutes before, the
 * nearest first. It is evidence that something else happened then, and says nothing of causes.
 * @param previous what was told last, so that the times stay as they were
 */
export function withHostEvidence(
  findings: readonly Finding[],
  facts: Facts,
  previous: DiagnosisOutput | undefined,
): Finding[] {
  const before = new Map(previous?.findings.map((finding) => [finding.id, finding]));
  return findings.map((finding) => {
    const former = before.get(finding.id);
    const signs = signsOf(finding, facts).map((sign) => withTime(sign, former));
    const changes = changesOf(finding, facts).map((change) => withSameTime(change, former));
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

function signsOf(finding: Finding, { input, index, observations }: Facts): FindingSign[] {
  const sinceMs = Date.parse(finding.since) - input.wallOffsetMs;
  const isFolded = finding.kind === hostSign.kind && finding.count !== undefined;
  return (isFolded ? (finding.examples ?? []) : endsOf(finding))
    .flatMap((node) => {
      const seen = observations.hosts.get(index.numberOf.get(node) ?? -1);
      return (seen?.signs ?? []).map((sign) => ({
        node,
        sign,
        beganMs: input.now - (seen?.bodyAgeMs ?? 0) - 1000 * sign.ageSeconds,
      }));
    })
    .filter(({ sign, beganMs }) => {
      const isItself = finding.kind === hostSign.kind && finding.sign === sign.sign;
      // The text of many has no figures, so their signs are told.
      return isFolded ? isItself : !isItself && isNear(finding, beganMs, input);
    })
    .sort((a, b) => Math.abs(a.beganMs - sinceMs) - Math.abs(b.beganMs - sinceMs))
    .slice(0, mostSigns)
    .map(({ node, sign, beganMs }) => ({
      node,
      sign: sign.sign,
      text: signText(sign),
      value: sign.value,
      limit: sign.limit,
      since: isoTime(input, beganMs),
      ...(sign.orBefore && { orBefore: true as const }),
      plane: sign.plane,
    }));
}

function changesOf(finding: Finding, { input, index, observations }: Facts): FindingChange[] {
  const sinceMs = Date.parse(finding.since) - input.wallOffsetMs;
  return endsOf(finding)
    .flatMap((node) => {
      const seen = observations.hosts.get(index.numberOf.get(node) ?? -1);
      const told = (seen?.changes ?? []).map((change) => ({
        node,
        change,
        foundMs: input.now - (seen?.bodyAgeMs ?? 0) - 1000 * change.ageSeconds,
      }));
      const own = input.changesOf?.(node) ?? [];
      return [...told, ...own.map((change) => ({ node, change, foundMs: change.foundMs }))];
    })
    .filter(({ change, foundMs }) => {
      const earliestMs = foundMs - 1000 * change.withinSeconds;
      return earliestMs <= sinceMs + slackMs && foundMs >= sinceMs - nearMs;
    })
    .sort((a, b) => Math.abs(a.foundMs - sinceMs) - Math.abs(b.foundMs - sinceMs))
    .slice(0, mostChanges)
    .map(({ node, change, foundMs }) => ({
      node,
      at: isoTime(input, foundMs),
      withinSeconds: change.withinSeconds,
      change: change.change,
      text: changeText(change),
      from: change.from,
      to: change.to,
    }));
}

/** The nodes that a finding is about. Of one about many nodes, zones or the cluster nobody knows which host matters. */
export function endsOf({ node, pair }: Finding): readonly string[] {
  return pair ?? (node === undefined ? [] : [node]);
}

function withTime(sign: FindingSign, former: Finding | undefined): FindingSign {
  const known = former?.signs?.find(
    (one) => one.node === sign.node && one.sign === sign.sign && one.plane === sign.plane,
  );
  if (!known) return sign;
  const apartMs = Math.abs(Date.parse(known.since) - Date.parse(sign.since));
  return apartMs > jitterMs ? sign : { ...sign, since: known.since };
}

function withSameTime(change: FindingChange, former: Finding | undefined): FindingChange {
  const known = former?.changes?.find(
    ({ node, text, at }) =>
      node === change.node &&
      text === change.text &&
      Math.abs(Date.parse(at) - Date.parse(change.at)) <= jitterMs,
  );
  return known ? { ...change, at: known.at } : change;
}
