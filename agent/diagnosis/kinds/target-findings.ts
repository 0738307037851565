import { confidenceOf, type Candidate } from '../nouns/finding.js';
import { isoTime, type DiagnosisInput } from '../nouns/diagnosis-input.js';
import { targetsOfServices, serviceTarget } from '../nouns/diagnosis-target.js';
import { mostLooks, type TargetSight } from '../life/target-sight-of.js';
import { targetFindingId } from './finding-id.js';
import { exampleText, manyFields, splitMany, type FoldKey } from './fold.js';
import type { TargetKind } from './kind.js';
import { kindOf, severityOf, targetKinds } from './kinds.js';
import { targetCommands } from './target-command.js';
import { getOrInsert } from '../nouns/get-or-insert.js';
import { inWords, targetFailureWords } from './target-words.js';

/** Writes the findings about targets: one for each cause, for several services at a node, or for many nodes. Each id comes once. */
export function* targetFindings(
  sights: readonly TargetSight[],
  input: DiagnosisInput,
): Generator<void, readonly Candidate[]> {
  const found: Alone[] = [];
  for (const joined of joinServices(sights, input.namespace)) {
    found.push(targetFinding(joined, input));
    if (found.length % 20 === 0) yield;
  }
  const { alone, folded } = splitMany(found, foldKeyOf, input.previous);
  yield;
  const byId = new Map<string, Candidate>();
  for (const one of [...alone, ...folded.map(([id, many]) => foldedFinding(id, many, input))]) {
    // Another definition of the name, which fewer nodes have, gives no second finding of the id.
    if (!byId.has(one.finding.id)) byId.set(one.finding.id, one);
  }
  return [...byId.values()];
}

interface Alone extends Candidate {
  readonly sight: TargetSight;
  readonly kind: TargetKind;
}

/**
 * Puts together those that say that one node does not reach several Services, the service target among them: that one fails
 * for no other reason than the routing of services there. It comes first, so it is the same finding when more fail.
 * @param namespace that of the agents in Kubernetes; elsewhere these names say nothing
 */
function joinServices(
  sights: readonly TargetSight[],
  namespace: string | undefined,
): Iterable<readonly TargetSight[]> {
  const orderOf = ({ target }: TargetSight) => targetsOfServices.indexOf(target);
  const isOfServices = (one: TargetSight) =>
    namespace !== undefined &&
    one.trouble === 'broken' &&
    !one.server &&
    one.node &&
    orderOf(one) >= 0;
  const services = sights.filter((one) => isOfServices(one) && one.target === serviceTarget);
  const atNode = new Map(services.map((one) => [one.name, one]));
  const joined = new Map<TargetSight, TargetSight[]>();
  for (const one of sights) {
    const service = isOfServices(one) ? atNode.get(one.name) : undefined;
    const isPart = service && (one.failingPlanes & ~service.failingPlanes) === 0;
    getOrInsert(joined, isPart ? service : one, () => []).push(one);
  }
  for (const parts of joined.values()) parts.sort((a, b) => orderOf(a) - orderOf(b));
  return joined.values();
}

function targetFinding(joined: readonly TargetSight[], input: DiagnosisInput): Alone {
  const [first, ...others] = joined;
  if (!first) throw new RangeError('expected causes about targets, got none');
  const also = others.map(({ target }) => target);
  const sight = { ...first, also };
  const { target, subject, server, node, plane, isLocal } = sight;
  const kind = kindOf(targetKinds, sight);
  const sinceMs = Math.min(...joined.map((one) => one.sinceMs));
  const looks = joined.flatMap((one) => {
    const its = one.looks((failure) => kind.lookWords ?? targetFailureWords(failure));
    return one === first ? its : its.map((look) => ({ ...look, target: one.target }));
  });
  return {
    finding: {
      id: targetFindingId(sight),
      kind: kind.kind,
      severity: severityOf(sight.trouble),
      target,
      ...(also.length > 0 && { targets: [target, ...also] }),
      ...(server?.address !== undefined && { servers: [server.address] }),
      ...(node && { node: node.name }),
      ...(subject.type === 'zones' && { zones: [sight.name] }),
      ...(plane && { plane }),
      protocols: [],
      since: isoTime(input, sinceMs),
      seenBy: sight.seen.all,
      explains: joined.reduce((sum, { slots }) => sum + slots.length, 0),
      confidence: confidenceOf(sight.slots.length, sight.cause.well),
      text: kind.text(sight),
      next: targetCommands(sight),
      evidence: [],
      looks: looks.slice(0, mostLooks),
      ...(isLocal && { local: true as const }),
    },
    sinceMs,
    settleMs: kind.waitsMs(sight),
    causes: joined.map(({ named }) => named),
    explained: [],
    sight,
    kind,
  };
}

/** Those about many nodes and one target are told together. The local node keeps its own. */
function foldKeyOf({
  sight: { target, node, server, isLocal },
  kind: { kind, plural },
}: Alone): FoldKey | undefined {
  if (!plural || !node || isLocal) return undefined;
  const id = [kind, target, ...(server ? [server.id] : []), 'many'].join(':');
  return { kind: id, id: node.known === undefined ? id : `${id}:known` };
}

function foldedFinding(id: string, many: readonly Alone[], input: DiagnosisInput): Candidate {
  const byAge = [...many].sort((a, b) => a.sinceMs - b.sinceMs);
  const [first] = many;
  if (!first) throw new RangeError('expected findings to fold, got none');
  const { sinceMs } = byAge[Math.floor(byAge.length / 10)] ?? first;
  const names = [...new Set(many.map(({ sight }) => sight.name))].sort();
  const of = Math.max(...many.map(({ finding }) => finding.seenBy.of), names.length);
  const rest = { ...first.finding };
  delete rest.node;
  delete rest.plane;
  const { target, also, server } = first.sight;
  const what = server ? `${server.name}, a server of ${target}` : inWords([target, ...also]);
  return {
    finding: {
      ...rest,
      id,
      since: isoTime(input, sinceMs),
      seenBy: { failing: names.length, of },
      explains: many.reduce((sum, { finding }) => sum + finding.explains, 0),
      ...manyFields(names),
      text: `${names.length} of ${of} nodes that looked since ${first.kind.plural?.(what) ?? ''} ${exampleText(names)}`,
      looks: many.flatMap(({ finding }) => finding.looks?.slice(0, 1) ?? []).slice(0, mostLooks),
    },
    sinceMs,
    settleMs: Math.min(...many.map((one) => one.settleMs)),
    causes: many.flatMap(({ causes }) => causes),
    explained: [],
  };
}
