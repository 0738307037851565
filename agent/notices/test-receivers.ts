import type { NoticeTest } from '../../api/schema/v1/notices.js';
import type { Receiver } from './definition/receiver.js';
import type { Notice } from './notice.js';
import { sendNotice } from './sending/send-notice.js';

/** Sends a test to all receivers at once, and tells what each answered. */
export async function testReceivers(
  receivers: readonly Receiver[],
  common: Pick<Notice, 'cluster' | 'verdict' | 'at' | 'by'>,
  signal: AbortSignal,
): Promise<NoticeTest> {
  const notice: Notice = { id: `test ${common.by} ${common.at}`, event: 'test', ...common };
  const results = await Promise.all(
    receivers.map(async (receiver) => {
      const { isTaken: taken, answer } = await sendNotice(notice, receiver, signal);
      return { receiver: receiver.name, type: receiver.type, taken, answer };
    }),
  );
  return { results };
}
