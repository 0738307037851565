import type { NodeEntry } from '../../api/schema/v1/nodes.js';
import type { Paint } from './colour.js';
import { escapeText } from './escape.js';

type Sign = Pick<NonNullable<NodeEntry['signs']>[number], 'text' | 'since'>;

/** A sign of a host, and since when: `conntrack table full (10 of 10) since 10:02:11 UTC`. */
export function signLine({ text, since }: Sign, paint: Paint): string {
  return `${paint('yellow', escapeText(text))}${sinceText(since)}`;
}

/** The time of day. A sign that is older than a day is told by its time too: `-o json` has the date. */
function sinceText(since: string): string {
  const at = Date.parse(since);
  return Number.isNaN(at) ? '' : ` since ${new Date(at).toISOString().slice(11, 19)} UTC`;
}
