import type { Status } from '../../api/schema/status.js';
import type { NodeMatrix, ZoneMatrix } from '../../api/schema/v1/matrix.js';
import { effectOf, type Effect } from './effect.js';
import { arrow, cellFacts, nodeFacts, separator, zoneFacts, type Fact, type Rtt } from './facts.js';

/** One difference between both bodies, and whether it is one for the worse or the better. */
export type Change = { readonly subject: string; readonly effect: Effect } & (
  | { readonly type: 'added' | 'removed' }
  | { readonly type: 'state'; readonly before: string; readonly after: string }
  | { readonly type: 'rtt'; readonly beforeNs: number; readonly afterNs: number }
);

/** A saved body and its kind. */
export type SavedBody =
  | { readonly kind: 'status'; readonly body: Status }
  | { readonly kind: 'matrix by zone'; readonly body: ZoneMatrix }
  | { readonly kind: 'matrix by node'; readonly body: NodeMatrix };

const order: readonly Effect[] = ['worse', 'better', 'other'];

/**
 * Returns what changed from one body to the other: what is worse first, then what is better. An RTT has changed where
 * it is well above or below that of before (`Rtt`).
 * @throws RangeError if the bodies differ in kind, or are not about the same paths
 */
export function diffBodies(before: SavedBody, after: SavedBody): Change[] {
  if (before.kind !== after.kind) {
    throw new RangeError(
      `expected two bodies of one kind, got a ${before.kind} and a ${after.kind}`,
    );
  }
  const [a, b] = [subjectOf(before), subjectOf(after)];
  if (a !== b) throw new RangeError(`expected two matrices of the same paths, got ${a} and ${b}`);
  const changes = diffFacts(new Map(factsOf(before)), new Map(factsOf(after)));
  return changes.sort((one, other) => order.indexOf(one.effect) - order.indexOf(other.effect));
}

function subjectOf({ kind, body }: SavedBody): string {
  if (kind === 'status') return '';
  const { plane = 'any plane', protocol = 'any protocol', target } = body;
  const of = target === undefined ? '' : `the target ${target} on `;
  const groups = kind === 'matrix by zone' ? `, grouped by ${body.by ?? 'zone'}` : '';
  return `${of}${plane} by ${protocol}${groups}`;
}

function factsOf({ kind, body }: SavedBody): [string, Fact][] {
  switch (kind) {
    case 'status':
      return body.nodes.flatMap(nodeFacts);
    case 'matrix by zone':
      return zoneFacts(body);
    case 'matrix by node':
      return cellFacts(body);
  }
}

function diffFacts(before: ReadonlyMap<string, Fact>, after: ReadonlyMap<string, Fact>): Change[] {
  const changes: Change[] = [];
  for (const [subject, old] of before) {
    const now = after.get(subject);
    // What was there and is gone is missed, whoever took it away.
    if (!now) changes.push({ type: 'removed', subject, effect: 'worse' });
    else if (old.state !== now.state) {
      const effect = effectOf(old.meaning, now.meaning);
      changes.push({ type: 'state', subject, effect, before: old.state, after: now.state });
    } else if (old.rtt && now.rtt && hasMoved(old.rtt, now.rtt)) {
      const [beforeNs, afterNs] = [old.rtt.ns, now.rtt.ns];
      const effect = afterNs > beforeNs ? 'worse' : 'better';
      changes.push({ type: 'rtt', subject, effect, beforeNs, afterNs });
    }
  }
  for (const subject of after.keys()) {
    if (!before.has(subject)) changes.push({ type: 'added', subject, effect: 'other' });
  }
  return withoutParts(changes);
}

/** Leaves out the paths and cells of a node that was itself added or removed. */
function withoutParts(changes: readonly Change[]): Change[] {
  const whole = new Set(
    changes
      .filter(({ type }) => type === 'added' || type === 'removed')
      .map(({ subject }) => subject),
  );
  return changes.filter(({ type, subject }) => {
    if (type !== 'added' && type !== 'removed') return true;
    const [owner = '', part] = subject.split(separator);
    if (part === undefined) return true;
    return !whole.has(owner) && !(part.startsWith(arrow) && whole.has(part.slice(arrow.length)));
  });
}

/**
 * Medians of 20 round trips and more, or of 16 last ones of different pairs, taken 10 or 60 s apart on a host at ten
 * times its load, differed by less.
 */
const changedFactor = 3;

function hasMoved(before: Rtt, after: Rtt): boolean {
  if (before.channel !== after.channel) return false;
  const [low, high] = [Math.min(before.ns, after.ns), Math.max(before.ns, after.ns)];
  return high > low * changedFactor && isOutside(before, after) && isOutside(after, before);
}

function isOutside({ ns }: Rtt, { range }: Rtt): boolean {
  return range === undefined || ns < range.lowNs || ns > range.highNs;
}
