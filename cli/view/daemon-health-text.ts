import { formatDurationNs } from '../../api/duration.js';
import type { DaemonHealth, Problem } from '../../api/schema/daemon-health.js';
import { escapeText } from './escape.js';
import { planLines } from './plan-text.js';
import { alignColumns } from './tab-writer.js';

/** The agent itself: uptime, load, and a line for each problem it knows of. */
export function renderDaemonHealth(healthz: DaemonHealth): string {
  const load = healthz['system-load'];
  return alignColumns([
    `Daemon uptime:\t${escapeText(healthz.uptime)}`,
    `Node load:\t${[load.last1min, load.last5min, load.last15min].map(escapeText).join(' ')}`,
    ...planLines(healthz.plan),
    ...stallLine(healthz),
    ...echoLine(healthz),
    ...exchangeLines(healthz),
    ...missingSignLines(healthz),
    ...(healthz.problems ?? []).map((problem) => `Problem:\t${escapeText(problem)}`),
  ]);
}

/** The problems of an agent, a line each. */
export function renderProblems(problems: readonly Problem[]): string {
  if (problems.length === 0) return 'No problem; the rest is told on the unix socket alone.\n';
  return problems.map(({ text }) => `Problem: ${escapeText(text)}\n`).join('');
}

/** Shorter stalls are not shown. */
const shortStallMs = 100;

function stallLine(healthz: DaemonHealth): string[] {
  const { 'longest-stall-ms': longestMs = 0, 'longest-starvation-ms': starvedMs = 0 } =
    healthz['event-loop'] ?? {};
  if (longestMs < shortStallMs) return [];
  const starved =
    starvedMs < shortStallMs
      ? ''
      : `; without a processor for up to ${formatDurationNs(starvedMs * 1e6)}`;
  return [`Longest stall:\t${formatDurationNs(longestMs * 1e6)} in the last minute${starved}`];
}

function exchangeLines({ exchange }: DaemonHealth): string[] {
  if (!exchange) return [];
  const { observers, hints, messages } = exchange;
  const { fresh, stale, silent } = observers;
  const oldest = observers.oldestSeconds;
  const age =
    oldest === undefined ? '' : `; the oldest row is ${formatDurationNs(oldest * 1e9)} old`;
  const refused = messages.malformed + messages.unauthenticated + messages.source;
  return [
    `Observers:\t${fresh} fresh, ${stale} stale, ${silent} silent${age}`,
    `Hints:\t${hints.sent} sent, ${hints.received} received: ${hints.probed} probed, ${hints.known} known, ${hints.refused} refused`,
    ...(refused > 0
      ? [
          `Refused messages:\t${messages.malformed} malformed, ${messages.unauthenticated} unauthenticated, ${messages.source} from an unexpected address`,
        ]
      : []),
  ];
}

/** What of the host is not watched, and where it would stand. */
function missingSignLines({ 'missing-signs': missing = [] }: DaemonHealth): string[] {
  return missing.map(
    ({ signs, files, because = `not found in ${files}` }) =>
      `Not watched:\t${signs.map(escapeText).join(', ')}: ${escapeText(because)}`,
  );
}

function echoLine({ icmp }: DaemonHealth): string[] {
  if (!icmp) return [];
  const { late, duplicate, foreign, dropped } = icmp;
  if (late + duplicate + foreign + dropped === 0) return [];
  return [
    `ICMP answers:\t${icmp.answered} of ${icmp.sent}; ${late} late, ${duplicate} duplicate, ${foreign} foreign, ${dropped} dropped on this host`,
  ];
}
