import { setTimeout as delay } from 'node:timers/promises';
import { pair, type Reported } from '../capture/pairing.js';
import { startCapture, type Captured } from '../capture/capture.js';
import { pathsOf } from '../environment/status.js';
import { micros, count } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import { summarise, type Summary } from '../statistics.js';
import type { Stage } from './step.js';

/** The errors of the reported RTTs, in nanoseconds. */
export interface RttError {
  readonly error: Summary;
  readonly reported: Summary;
  readonly device: Summary;
  /** Reports without a captured exchange. */
  readonly unpaired: number;
  /** Packets that the capture lost. */
  readonly captureDrops: number;
  readonly tainted: number;
}

const target = { medianNs: 10_000, p99Ns: 50_000 };
const targetText = 'median <= 10 µs, p99 <= 50 µs';

/** Compares the agent's RTTs with the kernel's timestamps of the same packets. */
export async function measureRtt(stage: Stage): Promise<void> {
  const {
    agent,
    environment: ground,
    programs,
    report,
    quick,
    title,
    engine,
    cadence,
    nodes,
  } = stage;
  const capture = await startCapture(programs, ground.agentNamespace);
  const since = Date.now();
  const windowMs = Math.max(quick ? 5000 : 12_000, cadence.icmp * (quick ? 1 : 1.5));
  const bodies: Buffer[] = [];
  const until = performance.now() + windowMs;
  while (performance.now() < until) {
    await delay(Math.min(cadence.icmp * 0.9, until - performance.now() + 1));
    bodies.push((await agent.status()).body);
  }
  const result = rttErrorOf(await capture.stop(), bodies, since);
  report.add('rtt', { nodes: nodes.length, engine, ...result });
  const { error, device, reported } = result;
  const isPromised = engine === 'kernel' && nodes.length === 5000;
  report.row({
    promise: `ICMP RTT error, ${title}, ${engine} engine`,
    target: isPromised ? targetText : '',
    figure: errorText(error),
    beside: `reported median ${micros(reported.median)}, at the device ${micros(device.median)}; n=${count(error.count)}`,
    result: isPromised
      ? targetResult(error.median <= target.medianNs, error.p99 <= target.p99Ns)
      : '',
  });
}

/** Pairs the RTTs of the bodies with the exchanges captured since then. */
export function rttErrorOf(
  { exchanges, drops }: Captured,
  bodies: readonly Buffer[],
  since: number,
): RttError {
  const reports = new Map<string, Reported>();
  let tainted = 0;
  for (const path of bodies.flatMap((body) => pathsOf(body))) {
    const { latency, lastProbed, failures = 0, ...more } = path.protocols.icmp ?? {};
    const lastProbedMs = Date.parse(lastProbed ?? '');
    if (typeof latency !== 'number' || failures > 0 || !(lastProbedMs > since)) continue;
    if (more['tainted'] === true) tainted++;
    else
      reports.set(`${path.ip} ${lastProbedMs}`, { ip: path.ip, latencyNs: latency, lastProbedMs });
  }
  const pairs = pair([...reports.values()], exchanges);
  return {
    error: summarise(pairs.map(({ reportedNs, deviceNs }) => Math.abs(reportedNs - deviceNs))),
    reported: summarise(pairs.map(({ reportedNs }) => reportedNs)),
    device: summarise(pairs.map(({ deviceNs }) => deviceNs)),
    unpaired: reports.size - pairs.length,
    captureDrops: drops,
    tainted,
  };
}

export function errorText({ median, p99 }: Summary): string {
  return `median ${micros(median)}, p99 ${micros(p99)}`;
}
