import {
  maxNoticeVersion,
  maxReceiverFailures,
  maxRowNotices,
  maxRowReceivers,
  noticePhases,
  type RowNotice,
  type RowReceiver,
} from '../../model/row-notices.js';
import { maxAgeSeconds, maxNewerItems, maxNewerNumber, type ValueReader } from './value-reader.js';

const maxDigest = 2 ** 48 - 1;
/** In hours since the Unix epoch: some hundred years. */
const maxHour = 2 ** 21;

/** A finding: its digest, version, phase and age, and the hour of its ids. */
type WireNotice = readonly [number, number, number, number, number?];
/** A receiver: its digest, version, failures, whether it is being told, the age of the last try, and the findings. */
type WireReceiver = readonly [number, number, number, 0 | 1, number, readonly WireNotice[]];

/**
 * One list for each receiver. What is beyond the bounds is left out: what is open stays, then the newest. An agent that has
 * just started would tell what is open again.
 */
export function encodeNotices(receivers: readonly RowReceiver[]): readonly WireReceiver[] {
  return receivers
    .slice(0, maxRowReceivers)
    .map(({ digest, version, failures, isBeingSent, triedSeconds, sent }) => [
      digest,
      version,
      Math.min(failures, maxReceiverFailures),
      isBeingSent ? 1 : 0,
      Math.min(triedSeconds, maxAgeSeconds),
      [...sent]
        .sort((a, b) => isClosed(a) - isClosed(b) || a.ageSeconds - b.ageSeconds)
        .slice(0, maxRowNotices)
        .map((one) => [
          one.digest,
          one.version,
          noticePhases.indexOf(one.phase),
          Math.min(one.ageSeconds, maxAgeSeconds),
          ...(one.hour === undefined ? ([] as const) : ([one.hour] as const)),
        ]),
    ]);
}

function isClosed({ phase }: RowNotice): number {
  return phase === 'closed' ? 1 : 0;
}

/**
 * Reads the lists. An unknown phase and further items are skipped.
 *
 * @throws MalformedRow
 */
export function decodeNotices(read: ValueReader): RowReceiver[] {
  const receivers: RowReceiver[] = [];
  for (let left = read.list(0, maxRowReceivers + maxNewerItems); left > 0; left--) {
    const items = read.list(6, 6 + maxNewerItems);
    const digest = read.whole(maxDigest);
    const version = read.whole(maxNoticeVersion);
    const failures = read.whole(maxReceiverFailures);
    const isBeingSent = read.bit();
    const triedSeconds = read.whole(maxAgeSeconds);
    const sent = decodeSent(read);
    read.skip(items - 6);
    receivers.push({ digest, version, failures, isBeingSent, triedSeconds, sent });
  }
  read.mustBeUnique(receivers.map(({ digest }) => digest));
  return receivers;
}

function decodeSent(read: ValueReader): RowNotice[] {
  const sent: RowNotice[] = [];
  const digests: number[] = [];
  for (let left = read.list(0, maxRowNotices + maxNewerItems); left > 0; left--) {
    const items = read.list(4, 4 + maxNewerItems);
    const digest = read.whole(maxDigest);
    const version = read.whole(maxNoticeVersion);
    const phase = noticePhases[read.whole(maxNewerNumber)];
    const ageSeconds = read.whole(maxAgeSeconds);
    const hour = items > 4 ? { hour: read.whole(maxHour) } : {};
    read.newer(Math.max(items - 5, 0));
    digests.push(digest);
    if (phase) sent.push({ digest, version, phase, ageSeconds, ...hour });
  }
  read.mustBeUnique(digests);
  return sent;
}

/** Whether they tell a reader the same, whatever their ages are. */
export function areSameNotices(
  before: readonly RowReceiver[] = [],
  after: readonly RowReceiver[] = [],
): boolean {
  return JSON.stringify(withoutAges(before)) === JSON.stringify(withoutAges(after));
}

function withoutAges(receivers: readonly RowReceiver[]): unknown {
  return receivers.map(({ digest, version, sent }) => [
    digest,
    version,
    sent.map((one) => [one.digest, one.version, one.phase, one.hour]),
  ]);
}
