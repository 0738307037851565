import { signText } from '../../model/host-words.js';
import type { Facts } from '../evidence/facts.js';
import { isoTime, type DiagnosisOutput } from '../nouns/diagnosis-input.js';
import type { Finding } from '../nouns/finding.js';
import { hostSign } from './host-sign.js';

type FindingSign = NonNullable<Finding['signs']>[number];

/** What began longer before or after a finding has nothing to do with it, as far as anybody can tell. */
const nearMs = 300_000;
const mostSigns = 4;
/** Ages are rounded, and clocks are read at different moments. */
const jitterMs = 2000;

/**
 * Adds to findings what the hosts at their ends show since about the same time, the nearest first. It is evidence that
 * something else happened then, and says nothing of causes.
 * @param previous what was told last, so that the times stay as they were
 */
export function withHostEvidence(
  findings: readonly Finding[],
  facts: Facts,
  previous: DiagnosisOutput | undefined,
): Finding[] {
  if (facts.observations.hosts.size === 0) return [...findings];
  const before = new Map(previous?.findings.map((finding) => [finding.id, finding]));
  return findings.map((finding) => {
    const signs = signsOf(finding, facts).map((sign) => withTime(sign, before.get(finding.id)));
    return signs.length > 0 ? { ...finding, signs } : finding;
  });
}

function signsOf(finding: Finding, { input, index, observations }: Facts): FindingSign[] {
  const sinceMs = Date.parse(finding.since) - input.wallOffsetMs;
  return endsOf(finding)
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
      return !isItself && Math.abs(beganMs - sinceMs) <= nearMs;
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
      plane: sign.plane,
    }));
}

/** The nodes that a finding is about. Of one about many nodes, zones or the cluster nobody knows which host matters. */
function endsOf({ node, pair }: Finding): readonly string[] {
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
