import { createHash } from 'node:crypto';
import type { News } from './due-notice.js';
import type { Notice } from './notice.js';

const mostTexts = 16;
const hourMs = 3_600_000;

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
  /** When the storm was told first, in monotonic milliseconds; undefined: not yet. */
  readonly stormMs: number | undefined;
}

/** Writes what a receiver is told. */
export function noticeOf(due: News, frame: NoticeFrame): Notice {
  const { cluster, verdict, by, wallMs } = frame;
  const { event, watched, phase, members } = due;
  const told = { cluster, verdict, at: new Date(wallMs).toISOString(), by };
  const id = idOf(due, frame);
  if (!watched) {
    const storm = {
      findings: Math.max(due.memberCount, members.length),
      open: members.length,
      texts: members.slice(0, mostTexts).map(({ finding }) => finding.text),
    };
    const lastedMs = frame.stormMs === undefined ? 0 : frame.nowMs - frame.stormMs;
    const [worst] = members;
    return {
      id,
      event,
      ...(worst && { finding: worst.finding }),
      storm,
      ...(phase === 'closed' && { durationSeconds: wholeSeconds(lastedMs) }),
      ...told,
    };
  }
  const { finding, openings, goneMs } = watched;
  const lastedMs = wallMs - Date.parse(finding.since) - (frame.nowMs - (goneMs ?? frame.nowMs));
  return {
    id,
    event,
    finding,
    ...(event === 'closed' && { durationSeconds: wholeSeconds(lastedMs) }),
    ...(openings > 1 && { openings }),
    ...told,
  };
}

/** The version begins anew when a finding was forgotten, an hour after its end: it began in another hour then. */
function idOf({ event, key, watched }: News, { cluster, version, wallMs }: NoticeFrame): string {
  const beganMs = watched ? Date.parse(watched.finding.since) : wallMs;
  const parts = [cluster, event, key, version, Math.floor(beganMs / hourMs)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

function wholeSeconds(ms: number): number {
  return Math.max(Math.round(ms / 1000), 0);
}
