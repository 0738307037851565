import type { TargetBody, TargetPlane } from '../../api/schema/v1/targets.js';
import { countText } from './age-text.js';
import type { Colour } from './colour.js';
import { escapeText } from './escape.js';

export type OnePlane = readonly ['host' | 'endpoint', TargetBody['planes']['host'] & object];

/** The planes from which a target is probed. */
export function planesOf({ planes }: TargetBody): OnePlane[] {
  return (['host', 'endpoint'] as const).flatMap((plane) => {
    const body = planes[plane];
    return body === undefined ? [] : [[plane, body] as const];
  });
}

/** `39 of 40 nodes`, or that nobody has looked. */
export function reachedText({ reached }: Pick<TargetPlane, 'reached'>): string {
  const { from, of, notLooked } = reached;
  const not = notLooked > 0 ? ` (${notLooked} not looked)` : '';
  return of === 0 ? `not known${not}` : `${from} of ${countText(of, 'node')}${not}`;
}

/** The first names of the nodes that do not reach it, and how many more there are. */
export function notFromText(
  {
    notFrom,
    reached,
  }: { readonly notFrom: readonly string[]; readonly reached: TargetPlane['reached'] },
  most: number,
): string {
  const named = notFrom.slice(0, most);
  const more = Math.max(reached.of - reached.from - named.length, 0);
  const names = named.map(escapeText).join(', ');
  if (more === 0) return names;
  return names === '' ? countText(more, 'node') : `${names} and ${more} more`;
}

export const verdictColours: Readonly<Record<TargetBody['verdict'], Colour>> = {
  ok: 'green',
  degraded: 'yellow',
  broken: 'red',
  unknown: 'yellow',
};
