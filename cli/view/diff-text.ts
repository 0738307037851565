import { formatDurationNs } from '../../api/duration.js';
import { separator, type Change } from '../diff-bodies.js';
import { countText } from './age-text.js';
import type { Paint } from './colour.js';
import { escapeText } from './escape.js';

/** Prints one change on each line, and their number at the end. */
export function renderDiff(changes: readonly Change[], paint: Paint): string {
  const lines = changes.map((change) => `${lineOf(change, paint)}\n`).join('');
  return `${lines}${changes.length === 0 ? 'no difference' : countText(changes.length, 'difference')}\n`;
}

function lineOf(change: Change, paint: Paint): string {
  const subject = subjectText(change.subject);
  switch (change.type) {
    case 'added':
      return paint('green', `+ ${subject}`);
    case 'removed':
      return paint('red', `- ${subject}`);
    case 'state': {
      const isBad = change.after === 'unreachable';
      return paint(
        isBad ? 'red' : 'yellow',
        `! ${subject}: ${escapeText(change.before)} -> ${escapeText(change.after)}`,
      );
    }
    case 'rtt': {
      const { beforeNs, afterNs } = change;
      const times = `RTT ${formatDurationNs(beforeNs)} -> ${formatDurationNs(afterNs)}`;
      return paint(afterNs > beforeNs ? 'yellow' : 'green', `~ ${subject}: ${times}`);
    }
  }
}

/** Returns a subject in readable form. */
export function subjectText(subject: string): string {
  return subject.split(separator).map(escapeText).join(' ');
}
