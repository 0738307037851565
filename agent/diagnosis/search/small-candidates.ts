import type { Tally } from '../evidence/tally.js';
import type { Subject } from '../nouns/subject.js';
import { leastOpen, type Explanation } from './explanation.js';
import { bestPartialNode } from './partial-nodes.js';
import type { Subjects } from './subjects.js';
import { slice, type Candidate } from './take-best.js';
import { getOrInsert } from '../nouns/get-or-insert.js';

/** With more open entries than this they are no pairs: something larger is unexplained. */
const mostOpenEntries = 20_000;

/** Pairs with open paths, and nodes that have several of them. */
export function* smallCandidates(
  tally: Tally,
  explanation: Explanation,
  subjects: Subjects,
): Generator<void, Candidate[]> {
  const { entries } = tally.observations;
  const { size } = tally.index;
  const pairs = new Map<number, Subject>();
  const peersOf = new Map<number, Map<number, number[]>>();
  const addPeer = (node: number, peer: number, entry: number) => {
    const peers = getOrInsert(peersOf, node, () => new Map<number, number[]>());
    getOrInsert(peers, peer, () => []).push(entry);
  };
  let open = 0;
  for (let at = 0; at < tally.badEntries.length; at++) {
    if ((at + 1) % slice === 0) yield;
    const entry = tally.badEntries[at] ?? 0;
    if (explanation.openWeight(entry) <= leastOpen) continue;
    if (++open > mostOpenEntries) return [];
    const [from, to] = [entries.from[entry] ?? 0, entries.to[entry] ?? 0];
    const key = Math.min(from, to) * size + Math.max(from, to);
    if (!pairs.has(key)) pairs.set(key, { type: 'pair', from, to });
    addPeer(from, to, entry);
    addPeer(to, from, entry);
  }
  const small: Candidate[] = [...pairs.values()].map((subject) => () => subjects.best(subject));
  if (tally.trouble !== 'broken') return small;
  for (const [node, peers] of peersOf) {
    small.push(() => bestPartialNode(tally, explanation, node, peers, pairs.size));
  }
  return small;
}
