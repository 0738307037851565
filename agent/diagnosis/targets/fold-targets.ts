import type { Facts } from '../build-finding.js';
import type { TargetCandidate } from './build-target-finding.js';

/** More nodes than this that cannot reach one target are one finding. */
const mostAlone = 16;
/** A folded finding stays folded until fewer than this are left, so that its id does not flap. */
const leastFolded = 13;
const mostExamples = 16;

/** Makes one finding of those about many nodes and one target. The local node keeps its own. */
export function foldTargets(
  candidates: readonly TargetCandidate[],
  { input }: Facts,
): readonly TargetCandidate[] {
  const isOne = ({ finding }: TargetCandidate) =>
    finding.node !== undefined && finding.local !== true;
  const many = candidates.filter(isOne);
  const [first] = many;
  if (!first) return candidates;
  const id = foldedTargetId(first);
  const wasFolded = input.previous?.memory.get(id)?.finding !== undefined;
  if (many.length <= mostAlone && !(wasFolded && many.length >= leastFolded)) return candidates;
  return [...candidates.filter((candidate) => !isOne(candidate)), folded(many, first, id)];
}

/** The id of the finding that stands for many nodes. */
function foldedTargetId({
  finding: { kind, target },
  question: { server },
}: TargetCandidate): string {
  const one = server === undefined ? '' : `:server-${server + 1}`;
  return `${kind}:${target ?? ''}${one}:many`;
}

function folded(
  many: readonly TargetCandidate[],
  first: TargetCandidate,
  id: string,
): TargetCandidate {
  const byAge = [...many].sort((a, b) => a.sinceMs - b.sinceMs);
  const began = byAge[Math.floor(byAge.length / 10)] ?? first;
  const names = many.flatMap(({ finding: { node } }) => node ?? []).sort();
  const of = Math.max(...many.map(({ finding }) => finding.seenBy.of), many.length);
  const { target = '', servers, ...rest } = first.finding;
  delete rest.node;
  delete rest.plane;
  delete rest.known;
  const what = servers ? `${servers.join(', ')}, a server of ${target}` : target;
  const slots = many.flatMap((one) => one.slots);
  const verb =
    first.question.trouble === 'broken'
      ? `cannot reach ${what}`
      : first.question.trouble === 'lossy'
        ? `get no answer to some probes of ${what}`
        : `see that ${what} has become slow`;
  return {
    ...first,
    finding: {
      ...rest,
      target,
      ...(servers && { servers }),
      id,
      since: began.finding.since,
      seenBy: { failing: many.length, of },
      explains: slots.length,
      count: many.length,
      examples: names.slice(0, mostExamples),
      text: `${many.length} of ${of} nodes that looked since ${verb} (${names.slice(0, 3).join(', ')}, ...)`,
      looks: many.flatMap(({ finding }) => finding.looks?.slice(0, 1) ?? []).slice(0, 10),
    },
    sinceMs: began.sinceMs,
    settleMs: Math.min(...many.map((one) => one.settleMs)),
    lookedMs: Math.max(...many.map(({ lookedMs = 0 }) => lookedMs)),
    causes: many.flatMap(({ causes }) => causes),
    slots,
  };
}
