import { loadavg } from 'node:os';
import { formatDurationNs } from '../../api/duration.js';
import type { DaemonHealth, ExchangeHealth } from '../../api/schema/daemon-health.js';
import type { Plan } from '../../api/schema/status.js';
import type { ExchangeCounts } from '../exchange/exchange-counts.js';
import type { ObserverCounts } from '../peers/observers.js';
import type { EventLoop } from '../platform/event-loop.js';
import type { EchoCounts } from '../probing/icmp/echo-tracker.js';
import type { Problems } from '../platform/problems.js';

export interface DaemonHealthSources {
  readonly problems: Problems;
  readonly eventLoop: Pick<EventLoop, 'longestStallMs' | 'longestStarvationMs'>;
  readonly plan: () => Plan;
  /** Absent if no ICMP is sent. */
  readonly echoCounts: (() => EchoCounts) | undefined;
  /** What of this host is not watched, and why. */
  readonly missingSigns?: readonly {
    readonly signs: readonly string[];
    readonly files: string;
    readonly because?: string;
  }[];
  /** Absent if agents tell each other nothing. */
  readonly exchange?: ExchangeCounts & { readonly observers: ObserverCounts };
}

/** What the agent says of itself: uptime, the machine's load, its own problems and its probing. */
export function daemonHealthBody({
  problems,
  eventLoop,
  plan,
  echoCounts,
  missingSigns = [],
  exchange,
}: DaemonHealthSources): DaemonHealth {
  const [last1min, last5min, last15min] = loadavg().map((load) => load.toFixed(2));
  const details = problems.coded();
  const texts = details.map(({ text }) => text);
  return {
    uptime: formatDurationNs(Math.round(process.uptime() * 1e3) * 1e6),
    'system-load': {
      last1min: last1min ?? '',
      last5min: last5min ?? '',
      last15min: last15min ?? '',
    },
    cilium: { cilium: { state: texts.length > 0 ? 'Warning' : 'Ok', msg: texts.join('; ') } },
    problems: texts,
    'problem-details': details.map((problem) => ({ ...problem })),
    plan: plan(),
    'event-loop': {
      'longest-stall-ms': Math.round(eventLoop.longestStallMs()),
      'longest-starvation-ms': Math.round(eventLoop.longestStarvationMs()),
    },
    ...(echoCounts && { icmp: { ...echoCounts() } }),
    ...(missingSigns.length > 0 && {
      'missing-signs': missingSigns.map((missing) => ({ ...missing, signs: [...missing.signs] })),
    }),
    ...(exchange && { exchange: exchangeHealth(exchange) }),
  };
}

function exchangeHealth(counts: NonNullable<DaemonHealthSources['exchange']>): ExchangeHealth {
  const { fresh, stale, silent, oldestMs } = counts.observers;
  const { hintsSent, hintsReceived, hintUse, messagesReceived, messagesRefused, rowsReceived } =
    counts;
  return {
    observers: {
      fresh,
      stale,
      silent,
      ...(oldestMs !== undefined && { oldestSeconds: Math.round(oldestMs / 100) / 10 }),
    },
    hints: { sent: hintsSent, received: hintsReceived, ...hintUse },
    messages: { received: messagesReceived, ...messagesRefused },
    rowsReceived,
  };
}
