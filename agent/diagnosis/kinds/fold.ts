import type { Cause } from '../nouns/cause.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { FindingKind } from '../nouns/finding.js';
import type { PathSight } from '../life/path-sight.js';
import { isLocal } from './of-nodes.js';
import { getOrInsert } from '../nouns/get-or-insert.js';

/** More findings of one kind than this are folded. */
const mostAlone = 16;
/** Folded ones stay folded until fewer than this are left, so that their ids do not flap. */
const leastFolded = 13;
/** So many of the folded findings are examples. */
const mostExamples = 16;

/** What a finding is counted with where there are many. */
export interface FoldKey {
  /** Of how many there are too many is counted by kind. */
  readonly kind: string;
  /** The id of the one finding that it becomes a part of. */
  readonly id: string;
}

/** Splits what was found into what gets a finding of its own, as all without a key do, and groups that get one together, by its id. */
export function splitMany<T>(
  all: readonly T[],
  foldKeyOf: (one: T) => FoldKey | undefined,
  previous: DiagnosisInput['previous'],
) {
  const alone: T[] = [];
  const byKind = new Map<string, Map<string, T[]>>();
  for (const one of all) {
    const like = foldKeyOf(one);
    if (!like) {
      alone.push(one);
      continue;
    }
    const groups = getOrInsert(byKind, like.kind, () => new Map<string, T[]>());
    getOrInsert(groups, like.id, () => []).push(one);
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
export function foldKeyOf(sight: PathSight, kind: FindingKind): FoldKey | undefined {
  const { subject } = sight.cause;
  const { type } = subject;
  // What each of several groups has in common is another thing.
  if (type === 'group' || type === 'groups') return undefined;
  const parts: string[] = type === kind || type === 'node' ? [] : [type];
  if (type === 'node') {
    if (isLocal(sight)) return undefined;
    if (isOutbound(sight.cause)) parts.push('outbound');
    if (sight.input.index.nodes[subject.node]?.known !== undefined) parts.push('known');
  }
  return { kind: `${kind} ${type}`, id: [kind, 'many', ...parts].join(':') };
}

/** Whether a node reaches nobody, and nothing is said of who reaches it. */
export function isOutbound({ subject, trouble, ways }: Cause): boolean {
  return subject.type === 'node' && trouble === 'broken' && ways === 'out';
}

/** What a finding says of how many it stands for. */
export function manyFields(names: readonly string[]) {
  return { count: names.length, examples: names.slice(0, mostExamples) };
}

/** The first names, for a text. */
export function exampleText(names: readonly string[]): string {
  return `(${[...names.slice(0, 3), ...(names.length > 3 ? ['...'] : [])].join(', ')})`;
}
