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

/** Much less than the shortest interval, much more than it takes to read a reply. */
const nearMs = 400;

/**
 * Finds, for each report, the exchange it is about: the one with that address whose reply is
 * nearest to the time reported. Reports without one nearby are left out.
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
