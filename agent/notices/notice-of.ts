import { createHash } from 'node:crypto';
import type { Finding } from '../../api/schema/v1/findings.js';
import type { News } from './due-notice.js';
import type { SentState } from './ledger.js';
import type { Notice } from './notice.js';
import type { WatchedFinding } from './watched-findings.js';

const mostTexts = 16;
const hourMs = 3_600_000;
/** Several times what agents may differ by. */
const edgeMs = 60_000;

/** What is told beside the news itself. */
export interface NoticeFrame {
  readonly cluster: string;
  readonly verdict: string;
  readonly by: string;
  readonly nowMs: number;
  /** Epoch milliseconds. */
  readonly wallMs: number;
  /** The version that the ledger will have of it. */
  readonly version: number;
  /** What the receiver was told of it last; undefined: nothing. */
  readonly sent: Pick<SentState, 'phase' | 'atMs' | 'hour'> | undefined;
}

/** Writes what a receiver is told. */
export function noticeOf(due: News, frame: NoticeFrame): Notice {
  const { cluster, verdict, by, wallMs } = frame;
  const { event, watched, phase, members } = due;
  const common = { cluster, verdict, at: new Date(wallMs).toISOString(), by };
  const id = idOf(due, frame);
  if (!watched) {
    const storm = {
      findings: Math.max(due.memberCount, members.length),
      open: members.length,
      texts: members.slice(0, mostTexts).map(({ finding }) => finding.text),
    };
    const lastedMs = frame.sent === undefined ? 0 : frame.nowMs - frame.sent.atMs;
    const [worst] = members;
    return {
      id,
      event,
      ...(worst && { finding: worst.finding }),
      storm,
      ...(phase === 'closed' && { durationSeconds: wholeSeconds(lastedMs) }),
      ...common,
    };
  }
  const { finding, openings, beganMs, goneMs = frame.nowMs } = watched;
  const earlier = earlierOf(watched, frame.sent);
  return {
    id,
    event,
    finding,
    ...(earlier.length > 0 && { earlier }),
    ...(event === 'closed' && { durationSeconds: wholeSeconds(goneMs - beganMs) }),
    ...(openings > 1 && { openings }),
    ...common,
  };
}

/** The severity that the receiver knows may be one that this agent did not see. */
function earlierOf(
  { finding, earlier }: WatchedFinding,
  sent: NoticeFrame['sent'],
): readonly Finding[] {
  const { phase = 'closed' } = sent ?? {};
  if (phase === 'closed' || phase === finding.severity) return earlier;
  return [...earlier, { ...finding, severity: phase }];
}

/** The version begins anew when a finding was forgotten, an hour after its end: it began in another hour then. */
function idOf(news: News, { cluster, version, wallMs, sent }: NoticeFrame): string {
  const { event, key } = news;
  const parts = [cluster, event, key, version, sent?.hour ?? hourOf(news, wallMs)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** The hour in which a finding began, in hours since the Unix epoch; of a storm, that in which it is told. */
export function hourOf({ watched }: News, wallMs: number): number {
  return Math.floor(beganMs(watched, wallMs) / hourMs);
}

/**
 * Whether agents may not agree on that hour: they do not know to the second when a finding began, and a storm may be told again
 * by another one minutes later.
 */
export function isHourUnsure({ watched }: News, wallMs: number): boolean {
  const intoHourMs = beganMs(watched, wallMs) % hourMs;
  return watched === undefined || Math.min(intoHourMs, hourMs - intoHourMs) <= edgeMs;
}

function beganMs(watched: WatchedFinding | undefined, wallMs: number): number {
  return watched ? Date.parse(watched.finding.since) : wallMs;
}

function wholeSeconds(ms: number): number {
  return Math.max(Math.round(ms / 1000), 0);
}
