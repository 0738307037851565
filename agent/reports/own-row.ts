import { version } from '../../api/version.js';
import type { Exchange } from '../exchange/exchange.js';
import { buildRow } from '../exchange/row-builder.js';
import { freshForMs, type Row } from '../model/row.js';
import type { Cadence } from '../probing/schedule/plan.js';
import type { Scheduler } from '../probing/schedule/scheduler.js';
import type { ResultStore } from '../results/result-store.js';

export interface OwnRowSources {
  readonly localName: string;
  readonly store: Pick<ResultStore, 'visitPrimaryPaths'>;
  readonly scheduler: Pick<Scheduler, 'plan' | 'stats'>;
  readonly httpCadence: Cadence;
  readonly exchange: () => Pick<Exchange, 'directory' | 'observers'>;
  readonly isReady: () => boolean;
  readonly isStarved: () => boolean;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
}

/** A GET that was sent before the trouble began may be read this long after. */
const slackMs = 1000;
/** So many unsent probes in a row mean more than a full buffer. */
const minUnsentInARow = 5;

/** Builds this agent's row: what it sees of all its peers, and its own health. */
export function ownRow(sources: OwnRowSources): Row {
  const { localName, store, scheduler, httpCadence, exchange, isReady, isStarved } = sources;
  const { directory, observers } = exchange();
  const httpIntervalMs = scheduler.plan().http?.intervalMs ?? httpCadence.intervalMs;
  const httpTimeoutMs = httpCadence.timeoutMs;
  const heardForMs = freshForMs({ httpIntervalMs, httpTimeoutMs });
  const [nowMs, now] = [sources.nowMs(), Date.now()];
  const notSending = scheduler.stats().filter((one) => one.notSentInARow >= minUnsentInARow);
  return buildRow({
    head: {
      observer: localName,
      version,
      httpIntervalMs,
      httpTimeoutMs,
      health: {
        ready: isReady(),
        starved: isStarved(),
        notSending: notSending.map(({ protocol }) => protocol),
      },
    },
    visitPaths: (visit) => store.visitPrimaryPaths(visit),
    now,
    zoneOf: (node) => directory.zoneOf(node),
    isHeardSince: (node, sinceAt) => {
      const heardMsAgo = nowMs - (observers.getMs(node) ?? -Infinity);
      return heardMsAgo <= Math.min(heardForMs, now - sinceAt - slackMs);
    },
  });
}
