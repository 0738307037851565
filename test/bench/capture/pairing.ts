import { addressNumber } from './frame.js';
import type { Exchange } from './exchanges.js';

/** What an agent reported of one path. */
export interface Reported {
  readonly ip: string;
  readonly latencyNs: number;
  /** Epoch milliseconds. */
  readonly lastProbedMs: number;
}

export interface Paired {
  readonly reportedNs: number;
  readonly deviceNs: number;
}

/** This is far below the shortest interval, and far above the time to read a reply. */
const nearMs = 400;

/**
 * Finds the exchange of each report: the one of that address whose reply is nearest to the reported
 * time. It leaves out reports without an exchange nearby.
 */
export function pair(reports: readonly Reported[], exchanges: readonly Exchange[]): Paired[] {
  const byAddress = new Map<number, Exchange[]>();
  for (const exchange of exchanges) {
    const known = byAddress.get(exchange.address);
    if (known) known.push(exchange);
    else byAddress.set(exchange.address, [exchange]);
  }
  return reports.flatMap(({ ip, latencyNs, lastProbedMs }) => {
    const distance = ({ replyMs }: Exchange): number => Math.abs(replyMs - lastProbedMs);
    const candidates = byAddress.get(addressNumber(ip)) ?? [];
    const nearest = candidates.reduce<Exchange | undefined>(
      (best, each) => (!best || distance(each) < distance(best) ? each : best),
      undefined,
    );
    if (!nearest || distance(nearest) > nearMs) return [];
    return [{ reportedNs: latencyNs, deviceNs: nearest.rttNs }];
  });
}
