import type { NodeEntry } from '../../api/schema/v1/nodes.js';
import { secondsText } from './age-text.js';
import type { Paint } from './colour.js';
import { escapeText } from './escape.js';

type Change = Pick<NonNullable<NodeEntry['changes']>[number], 'text' | 'at' | 'withinSeconds'>;
type Sign = Pick<NonNullable<NodeEntry['signs']>[number], 'text' | 'since' | 'orBefore'> & {
  /** Of a sign beside a finding. */
  readonly lastToldAt?: string | undefined;
};

/** A sign of a host, and since when: `conntrack table full (10 of 10) since 10:02:11 UTC`. */
export function signLine(
  { text, since, orBefore = false, lastToldAt }: Sign,
  paint: Paint,
): string {
  const before = orBefore ? ' or before' : '';
  const last = lastToldAt === undefined ? '' : `;${timeOfDay(' it told this last at', lastToldAt)}`;
  return `${paint('yellow', escapeText(text))}${timeOfDay(' since', since)}${before}${last}`;
}

/** The time of day. A sign that is older than a day is told by its time too: `-o json` has the date. */
function timeOfDay(words: string, time: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? '' : `${words} ${new Date(at).toISOString().slice(11, 19)} UTC`;
}

/** A change on a host, and when: `interface eth0 went from MTU 1500 to 1400, at 10:02:11 UTC or up to 10s before`. */
export function changeLine({ text, at, withinSeconds }: Change, paint: Paint): string {
  const ms = Date.parse(at);
  const time = Number.isNaN(ms) ? '' : `, at ${new Date(ms).toISOString().slice(11, 19)} UTC`;
  const before = withinSeconds > 0 ? ` or up to ${secondsText(withinSeconds)} before` : '';
  return `${paint('bold', escapeText(text))}${time}${before}`;
}
