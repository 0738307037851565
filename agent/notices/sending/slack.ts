import { escapeControls } from '../../platform/format-value.js';
import type { Notice } from '../notice.js';
import type { PostRequest } from './post.js';
import type { ReceiverSecrets } from './secrets.js';

/** Slack shows 3,000 characters of a text. */
const maxText = 600;
const maxCommand = 200;
const maxStormTexts = 5;

/** The request for an incoming webhook of Slack: one short message. */
export function slackPost(notice: Notice, { url, ca }: ReceiverSecrets): PostRequest {
  const body = JSON.stringify({
    text: slackText(notice),
    unfurl_links: false,
    unfurl_media: false,
  });
  return { url, ca, body, headers: ['content-type', 'application/json'] };
}

/** A message in the mrkdwn of Slack. Names and sentences are text and nothing else in it. */
export function slackText(notice: Notice): string {
  const { event, cluster, finding, storm, by } = notice;
  const where = `*${plain(cluster, 253)}*`;
  if (event === 'test') {
    return `:white_check_mark: ${where}: a test of meshprobe, sent by ${plain(by, 520)}`;
  }
  if (storm) return stormText(notice, where);
  if (!finding) return `${where}: ${event}`;
  const { severity, text, since, seenBy, next, docs, kind } = finding;
  if (event === 'closed') {
    return `:white_check_mark: ${where}: closed after ${duration(notice.durationSeconds)}${times(notice)}: ${plain(text, maxText)}`;
  }
  const [command] = next;
  const mark = severity === 'broken' ? ':red_circle:' : ':large_yellow_circle:';
  const word = event === 'changed' ? `now ${severity}: ` : '';
  return [
    `${mark} ${where}: ${word}${plain(text, maxText)}`,
    `since ${plain(since, 40)}, seen by ${seenBy.failing} of ${seenBy.of}${times(notice)}`,
    ...(command === undefined ? [] : [`next: \`${plain(command, maxCommand)}\``]),
    ...(docs === undefined ? [] : [`<${docs}|When it says ${plain(kind, 64)}>`]),
  ].join('\n');
}

function stormText(notice: Notice, where: string): string {
  const { findings, open, texts } = notice.storm ?? { findings: 0, open: 0, texts: [] };
  if (open === 0) {
    return `:white_check_mark: ${where}: all ${findings} findings of the storm closed after ${duration(notice.durationSeconds)}`;
  }
  const shown = texts.slice(0, maxStormTexts);
  return [
    `:red_circle: ${where}: ${findings} more findings at once, ${open} are open`,
    ...shown.map((text) => `• ${plain(text, maxText / 2)}`),
    ...(open > shown.length ? [`and ${open - shown.length} more`] : []),
    'next: `meshprobe diagnose`',
  ].join('\n');
}

function times({ openings = 1 }: Notice): string {
  return openings > 1 ? `, opened ${openings} times` : '';
}

/**
 * A text without control characters, and without what Slack reads as more than text: `&`, `<` and `>` are escaped as its
 * documentation asks, and a backtick would end the command that it stands in.
 */
function plain(text: string, most: number): string {
  return escapeControls(text, most)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('`', "'");
}

function duration(seconds = 0): string {
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [Math.floor(seconds) % 60, 's'],
  ] as const;
  const text = parts.flatMap(([value, unit]) => (value > 0 ? `${value}${unit}` : [])).join(' ');
  return text === '' ? '0s' : text;
}
