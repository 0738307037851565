import type { Notice } from '../../agent/notices/notice.js';
import { makeFinding } from './make-finding.js';

/** What a receiver is told: c/n7 is down, as it was found four seconds before, if nothing else is said. */
export function makeNotice(more: Partial<Notice> = {}): Notice {
  return {
    id: 'n',
    event: 'opened',
    cluster: 'c',
    finding: makeFinding({ node: 'c/n7', since: '2026-01-01T10:00:00.000Z' }),
    verdict: 'broken',
    at: '2026-01-01T10:00:04.000Z',
    by: 'c/n1',
    ...more,
  };
}
