import { formatDurationNs } from '../../api/duration.js';
import type { Change } from '../diff/diff-bodies.js';
import type { Effect } from '../diff/effect.js';
import { separator } from '../diff/facts.js';
import { countText } from './age-text.js';
import type { Paint } from './colour.js';
import { escapeText } from './escape.js';

const effects: readonly { readonly effect: Effect; readonly title: string }[] = [
  { effect: 'worse', title: 'Worse:' },
  { effect: 'better', title: 'Better:' },
  { effect: 'other', title: 'Neither:' },
];
const colours = { worse: 'red', better: 'green', other: 'yellow' } as const;

/** Prints one change on each line, what is worse first, and their numbers at the end. */
export function renderDiff(changes: readonly Change[], paint: Paint): string {
  if (changes.length === 0) return 'no difference\n';
  const counts: string[] = [];
  let text = '';
  for (const { effect, title } of effects) {
    const lines = changes.filter((change) => change.effect === effect).map(lineOf);
    if (lines.length === 0) continue;
    counts.push(`${lines.length} ${effect === 'other' ? 'neither' : effect}`);
    text += `${title}\n${lines.map((line) => `  ${paint(colours[effect], line)}\n`).join('')}`;
  }
  return `${text}${countText(changes.length, 'difference')}: ${counts.join(', ')}\n`;
}

function lineOf(change: Change): string {
  const subject = subjectText(change.subject);
  switch (change.type) {
    case 'added':
      return `+ ${subject}`;
    case 'removed':
      return `- ${subject}`;
    case 'state':
      return `! ${subject}: ${escapeText(change.before)} -> ${escapeText(change.after)}`;
    case 'rtt': {
      const { beforeNs, afterNs } = change;
      return `~ ${subject}: RTT ${formatDurationNs(beforeNs)} -> ${formatDurationNs(afterNs)}`;
    }
  }
}

/** Returns a subject in readable form. */
export function subjectText(subject: string): string {
  return subject.split(separator).map(escapeText).join(' ');
}
