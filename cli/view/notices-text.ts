import type { Notices, NoticeTest } from '../../api/schema/v1/notices.js';
import { countText } from './age-text.js';
import { escapeText } from './escape.js';
import { alignColumns } from './tab-writer.js';

const noValue = '-';

/** What each receiver answered to a test. */
export function renderNoticeTest({ results }: NoticeTest): string {
  return alignColumns([
    'Receiver\tType\tTaken\tAnswer',
    ...results.map(({ receiver, type, taken, answer }) =>
      [receiver, type, taken ? 'yes' : 'no', answer].map(escapeText).join('\t'),
    ),
  ]);
}

/** Who is told of findings, and what was told, the newest first. */
export function renderNotices({ receivers, notices }: Notices): string {
  if (receivers.length === 0) {
    return 'Nobody is told of findings: the agent was given no receivers (--notify-file).\n';
  }
  const table = alignColumns([
    'Receiver\tType\tWaiting\tFailures in a row',
    ...receivers.map(({ name, type, waiting, failures }) =>
      [name, type, String(waiting), String(failures)].map(escapeText).join('\t'),
    ),
  ]);
  if (notices.length === 0) return `${table}\nNothing was told since this agent started.\n`;
  const list = alignColumns([
    'Time\tReceiver\tEvent\tOutcome\tAnswer\tBy\tWhat',
    ...notices.map(({ at, receiver, event, outcome, answer = noValue, by, text }) =>
      [at, receiver, event, outcome, answer, by ?? 'another agent', text]
        .map(escapeText)
        .join('\t'),
    ),
  ]);
  return `${table}\n${countText(notices.length, 'notice')}, the newest first:\n${list}`;
}
