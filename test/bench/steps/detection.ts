import type { BenchNode } from '../environment/cluster.js';
import { planOf } from '../environment/status.js';
import { duration } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import { summarise } from '../statistics.js';
import type { Stage } from './step.js';
import { runTrials, type Trial } from './trials.js';
import type { Verdict } from './detections.js';

/** The time allowed on top of an interval, for timeouts, confirmations and a busy machine. */
const latenessMs = 6000;

/**
 * Measures the time from a node's death to `unreachable` in the API, and from its return to
 * `reachable`. No peer gives hints here, so the limit is what the plan states for one agent alone.
 */
export async function measureDetection(stage: Stage): Promise<void> {
  const { agent, report, quick, title, nodes, deadShare, icmpFiltered, cadence } = stage;
  const protocol = icmpFiltered ? 'http' : 'icmp';
  const intervalMs = cadence[protocol];
  const victims = chooseVictims(stage, quick ? 8 : 20);
  const planMs = planOf((await agent.status()).body, protocol).timeToDetectMs;
  // A quick run does not wait for verdicts without a target.
  const until: Verdict = icmpFiltered ? 'http' : quick ? 'icmp' : 'all';
  const common = {
    victims,
    until,
    withinMs: Math.min(intervalMs, quick ? 5000 : 20_000),
    graceMs: intervalMs + latenessMs,
  };
  const deaths = await runTrials(stage, { ...common, fate: 'cut' });
  // By HTTP alone, detecting a return takes as long as detecting a death. With many nodes that is
  // minutes.
  const returns = icmpFiltered ? [] : await runTrials(stage, { ...common, fate: 'mend' });
  report.add('detection', {
    nodes: nodes.length,
    deadShare,
    icmpFiltered,
    deaths,
    returns,
    planMs: planMs ?? null,
  });
  const judged: Verdict = icmpFiltered ? 'http' : 'planes';
  const seen = timesOf(deaths, judged);
  const all = seen.length === deaths.length;
  report.row({
    promise: `death to unreachable, ${title}`,
    target: planMs === undefined ? '' : `<= the plan's ${duration(planMs)}`,
    figure: textOf(deaths, judged),
    beside: icmpFiltered
      ? ''
      : `every path by ICMP: ${textOf(deaths, 'icmp')}; also by HTTP: ${textOf(deaths, 'all')}`,
    result: planMs === undefined ? '' : targetResult(all, Math.max(...seen) <= planMs),
  });
  if (icmpFiltered) return;
  report.row({
    promise: `return to reachable, ${title}`,
    figure: textOf(returns, 'icmp'),
    beside: `also by HTTP: ${textOf(returns, 'all')}`,
  });
}

function chooseVictims({ alive }: Stage, count: number): BenchNode[] {
  const candidates = alive.slice(1);
  const chosen: BenchNode[] = [];
  while (chosen.length < Math.min(count, alive.length / 3)) {
    chosen.push(...candidates.splice(Math.floor(Math.random() * candidates.length), 1));
  }
  return chosen;
}

function timesOf(trials: readonly Trial[], verdict: Verdict): number[] {
  return trials.flatMap((trial) => trial[verdict] ?? []);
}

function textOf(trials: readonly Trial[], verdict: Verdict): string {
  const times = timesOf(trials, verdict);
  const missing = trials.length - times.length;
  if (times.length === 0) return `none of ${trials.length} while watched`;
  const { median, max } = summarise(times);
  const rest = missing > 0 ? `, ${missing} not while watched` : '';
  return `median ${duration(median)}, max ${duration(max)}${rest} (n=${times.length})`;
}
