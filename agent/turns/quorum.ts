import { nameHash } from '../model/name-hash.js';
import type { Row } from '../model/row.js';
import type { OtherAgent, TurnSituation } from './turn-situation.js';

/** What an agent sent before the trouble began may be read this long after. */
const lateReadMs = 2000;

/** The next agent has its turn so much later, where nothing was done. */
export const stepMs = 10_000;

/** What is known of other agents, by their names. */
export interface Hearing {
  readonly heardMsAgo: (name: string) => number | undefined;
  readonly isReady: (name: string) => boolean;
}

/**
 * Some other agents, and when each was heard. One that this agent's own GETs do not reach counts as never heard: after
 * a split its last row stays fresh for a while.
 * @param row this agent's own
 */
export function othersHeard(
  names: readonly string[],
  { paths }: Pick<Row, 'paths'>,
  { heardMsAgo, isReady }: Hearing,
): OtherAgent[] {
  const unreached = new Set<string>();
  for (const { node, plane, protocol, state } of paths) {
    if (plane === 'host' && protocol === 'http' && state === 'unreachable') unreached.add(node);
  }
  return names.map((name) => ({
    name,
    heardMsAgo: (unreached.has(name) ? undefined : heardMsAgo(name)) ?? Infinity,
    isReady: isReady(name),
  }));
}

/**
 * Whether at least half of the other agents were heard lately, and since the trouble began. Rows
 * stay fresh for a while after a split, so freshness alone would let the minority write first.
 * @param troubleMs how long ago the trouble began
 */
export function hasQuorum(
  { others, freshForMs }: Pick<TurnSituation, 'others' | 'freshForMs'>,
  troubleMs = Infinity,
): boolean {
  const withinMs = Math.min(freshForMs, troubleMs - lateReadMs);
  const heard = others.filter(({ heardMsAgo }) => heardMsAgo <= withinMs).length;
  return others.length > 0 && 2 * heard >= others.length;
}

/**
 * The place of this agent among those that may write: 0 writes at once. It is the number of fresh
 * and ready agents that go before it, by a hash of key and name, so all agents that hear the same
 * make the same order.
 * @param away nodes whose agents go after all others, by their full names
 */
export function placeOf(
  key: string,
  { localName, others, freshForMs }: Pick<TurnSituation, 'localName' | 'others' | 'freshForMs'>,
  away: ReadonlySet<string>,
): number {
  const isAway = away.has(localName);
  const own = hashOf(key, localName);
  let place = 0;
  for (const { name, heardMsAgo, isReady } of others) {
    if (heardMsAgo > freshForMs || !isReady) continue;
    if (away.has(name) !== isAway) {
      if (isAway) place++;
      continue;
    }
    const hash = hashOf(key, name);
    if (hash < own || (hash === own && name < localName)) place++;
  }
  return place;
}

/**
 * The agents that may do something, in the order of their places.
 * @param away as for {@link placeOf}
 */
export function orderOf(
  key: string,
  { localName, others, freshForMs }: Pick<TurnSituation, 'localName' | 'others' | 'freshForMs'>,
  away: ReadonlySet<string>,
): string[] {
  const may = others.filter(({ heardMsAgo, isReady }) => heardMsAgo <= freshForMs && isReady);
  return [localName, ...may.map(({ name }) => name)]
    .map((name) => ({ name, isAway: away.has(name), hash: hashOf(key, name) }))
    .sort(
      (a, b) =>
        Number(a.isAway) - Number(b.isAway) || a.hash - b.hash || (a.name < b.name ? -1 : 1),
    )
    .map(({ name }) => name);
}

function hashOf(key: string, name: string): number {
  return nameHash(`${key} ${name}`);
}
