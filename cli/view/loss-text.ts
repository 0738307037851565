import type { ProtocolStatus } from '../../api/schema/status.js';

/** A share as a percentage with no more digits than it needs. */
export function percent(share: number | undefined): string {
  return `${Number(((share ?? 0) * 100).toFixed(2))}%`;
}

/** What was lost of late; the API leaves out what is zero. */
export function lossText({ loss1m, loss10m, loss1h }: ProtocolStatus): string {
  return `loss ${percent(loss1m)} in 1m, ${percent(loss10m)} in 10m, ${percent(loss1h)} in 1h`;
}
