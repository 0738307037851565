import type { Facts } from '../evidence/facts.js';
import { exampleText, manyFields, splitMany } from './fold.js';
import { inWords } from './target-words.js';
import { serverId } from '../evidence/target-tally.js';
import type { TargetCandidate } from './build-target-finding.js';

/** Makes one finding of those about many nodes and one target. The local node keeps its own. */
export function foldTargets(
  candidates: readonly TargetCandidate[],
  { input, index }: Facts,
): readonly TargetCandidate[] {
  const { alone, folded } = splitMany(
    candidates,
    ({ finding: { kind, target = '', node, local }, question: { server }, kind: { plural } }) => {
      if (!plural || node === undefined || local === true) return undefined;
      const isKnown = index.nodes[index.numberOf.get(node) ?? -1]?.known !== undefined;
      const parts = [target, ...(server ? [serverId(server)] : []), 'many'];
      return {
        kind: [kind, ...parts].join(':'),
        id: [kind, ...parts, ...(isKnown ? ['known'] : [])].join(':'),
      };
    },
    input.previous,
  );
  return [...alone, ...folded.flatMap(([id, many]) => foldedTarget(id, many))];
}

function foldedTarget(id: string, many: readonly TargetCandidate[]): TargetCandidate[] {
  const byAge = [...many].sort((a, b) => a.sinceMs - b.sinceMs);
  const [first] = many;
  const plural = first?.kind.plural;
  if (!first || !plural) return [];
  const began = byAge[Math.floor(byAge.length / 10)] ?? first;
  const names = many.flatMap(({ finding: { node } }) => node ?? []).sort();
  const of = Math.max(...many.map(({ finding }) => finding.seenBy.of), many.length);
  const { target = '', servers, ...rest } = first.finding;
  delete rest.node;
  delete rest.plane;
  const { targets = [target] } = rest;
  const { server } = first.question;
  const address = servers?.join(', ') ?? (server && `number ${server.number + 1}`);
  const what = address === undefined ? inWords(targets) : `${address}, a server of ${target}`;
  const slots = many.flatMap((one) => one.slots);
  const one: TargetCandidate = {
    ...first,
    finding: {
      ...rest,
      target,
      ...(servers && { servers }),
      id,
      since: began.finding.since,
      seenBy: { failing: many.length, of },
      explains: many.reduce((sum, { finding }) => sum + finding.explains, 0),
      ...manyFields(names),
      text: `${many.length} of ${of} nodes that looked since ${plural(what)} ${exampleText(names)}`,
      looks: many.flatMap(({ finding }) => finding.looks?.slice(0, 1) ?? []).slice(0, 10),
    },
    sinceMs: began.sinceMs,
    settleMs: Math.min(...many.map((one) => one.settleMs)),
    lookedMs: Math.max(...many.map(({ lookedMs = 0 }) => lookedMs)),
    causes: many.flatMap(({ causes }) => causes),
    slots,
    joined: many.flatMap(({ joined }) => joined),
  };
  return [one];
}
