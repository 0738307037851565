import type { DueNotice } from './due-notice.js';
import type { Ledger } from './ledger.js';
import { hourOf, isHourUnsure } from './notice-of.js';

/** Within this time some other agents have asked for this one's row. */
const announceMs = 3000;

/**
 * Whether the other agents make the same id of a message. Near the edge of an hour they might not: then they are told of which
 * hour it is, and have some seconds to hear it.
 */
export function isIdKnown(
  ledger: Ledger,
  receiver: string,
  due: DueNotice,
  { nowMs, wallMs }: { readonly nowMs: number; readonly wallMs: number },
): boolean {
  const { hour, announcedMs = -Infinity } = ledger.sent(receiver, due.key) ?? {};
  if (nowMs < announcedMs + announceMs) return false;
  const isOpening = due.event === 'opened' || (due.event === 'storm' && due.phase !== 'closed');
  if (!isOpening || hour !== undefined || !isHourUnsure(due, wallMs)) return true;
  ledger.announce(receiver, due.key, hourOf(due, wallMs), nowMs);
  return false;
}
