import type { ProtocolStatus } from '../../api/schema/status.js';

/** Formats a share as a percentage with at most two decimals. */
export function percent(share: number | undefined): string {
  return `${Number(((share ?? 0) * 100).toFixed(2))}%`;
}

/** The recent losses. The API leaves out a loss of zero. */
export function lossText({ loss1m, loss10m, loss1h }: ProtocolStatus): string {
  return `loss ${percent(loss1m)} in 1m, ${percent(loss10m)} in 10m, ${percent(loss1h)} in 1h`;
}
