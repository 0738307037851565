import type { TargetBody, TargetPlane } from '../../schema/v1/targets.js';
import { formatRtt } from './format-rtt.js';
import { count } from './verdict-words.js';

type OnePlane = readonly [plane: 'host' | 'endpoint', body: TargetPlane];

/** The planes from which a target is probed. */
export function targetPlanes({ planes }: Pick<TargetBody, 'planes'>): OnePlane[] {
  return (['host', 'endpoint'] as const).flatMap((plane): OnePlane[] => {
    const body = planes[plane] as TargetPlane | undefined;
    return body === undefined ? [] : [[plane, body]];
  });
}

/** `39 of 40 nodes`, or that nobody has looked. */
export function reachedWords({ reached: { from, of, notLooked } }: TargetPlane): string {
  const not = notLooked > 0 ? ` (${notLooked} not looked)` : '';
  return of === 0 ? `not known${not}` : `${from} of ${count(of, 'node')}${not}`;
}

/** The first of the nodes that do not reach it, and how many more there are; empty if all do. */
export function notFromWords(
  { notFrom, reached }: TargetPlane,
  most: number,
  short: (name: string) => string,
): string {
  const named = notFrom.slice(0, most);
  const more = Math.max(0, reached.of - reached.from - named.length);
  const names = named.map(short).join(', ');
  if (more === 0) return names;
  return names === '' ? count(more, 'node') : `${names} and ${more} more`;
}

/** What is known of a target from one plane, as titles and texts; only what there is. */
export function factsOfPlane(
  body: TargetPlane,
  at: string,
): readonly (readonly [title: string, text: string])[] {
  const { state, reason, failure, rtt, servers, addresses, ttlSeconds, status } = body;
  const { answeredBy, certificate } = body;
  const why = reason === undefined ? '' : ` (${reason})`;
  const facts: [string, string | undefined][] = [
    ['This node', `${state}${why}`],
    ['Reached from', reachedWords(body)],
    ['Not from', notFromWords(body, 12, (name) => name)],
    ['Last failure', failure],
    ['RTT of this node', rtt && `p50 ${formatRtt(rtt.p50Ns)}, p99 ${formatRtt(rtt.p99Ns)}`],
    ['RTT of all nodes', `p50 ${formatRtt(body.p50Ns)}, p99 ${formatRtt(body.p99Ns)}`],
    ['Servers', servers?.map((one) => `${one.server} ${one.state}`).join(', ')],
    ['Addresses', addresses?.join(', ')],
    ['TTL', ttlSeconds === undefined ? undefined : count(ttlSeconds, 'second')],
    ['Status', status === undefined ? undefined : String(status)],
    ['Answered by', answeredBy],
    ['Certificate', certificate && `ends ${certificate.endsAt}${daysLeft(certificate.endsAt, at)}`],
  ];
  return facts.flatMap(([title, text]) => (text ? [[title, text] as const] : []));
}

function daysLeft(endsAt: string, at: string): string {
  const days = Math.floor((Date.parse(endsAt) - Date.parse(at)) / 86_400_000);
  return Number.isNaN(days) ? '' : ` (${days < 0 ? 'over' : `in ${days} days`})`;
}
