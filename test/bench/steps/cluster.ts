import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DaemonHealth } from '../../../api/schema/daemon-health.js';
import { startCommand } from '../environment/child.js';
import { addressesOf } from '../environment/cluster.js';
import { ask } from '../environment/status.js';
import { count, duration, megabytes } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import { summarise } from '../statistics.js';
import { watchUnder } from './load.js';
import { errorText } from './rtt.js';
import type { Stage } from './step.js';

const target = { matrixBytes: 2_000_000, stallMs: 50, medianNs: 10_000, p99Ns: 50_000 };
const matrixPath = '/v1/matrix?by=node&plane=host&protocol=icmp';
const readers = { reading: 150, silent: 50 };
/** The number of nodes that die and come back repeatedly, so that there are events. */
const flapping = 50;

/** The figures that the program of readers prints. */
interface ReaderFigures {
  readonly events: number;
  readonly fewest: number;
  readonly connected: number;
  readonly ended: number;
}

/** Measures the whole matrix and many readers of events while the agent probes. */
export async function measureCluster(stage: Stage): Promise<void> {
  await measureMatrix(stage);
  await measureReaders(stage);
}

async function measureMatrix({ agent, report, nodes, quick, title }: Stage): Promise<void> {
  const times: number[] = [];
  let bytes = 0;
  for (let round = 0; round < (quick ? 10 : 30); round++) {
    const startMs = performance.now();
    const { body, status } = await ask(agent.socketPath, matrixPath);
    if (status !== 200) throw new Error(`${matrixPath}: status ${status}`);
    times.push(performance.now() - startMs);
    bytes = Math.max(bytes, body.length);
    await delay(200);
  }
  const { median, max } = summarise(times);
  // The agent reports its longest stall of the last minute, which also covers the time just before.
  const stallMs = await longestStallMs(agent.socketPath);
  report.add('matrix', { nodes: nodes.length, bytes, times, stallMs });
  report.row({
    promise: `GET /v1/matrix?by=node (${count(nodes.length)} x ${count(nodes.length)}) while probing, ${title}`,
    target: `<= ${megabytes(target.matrixBytes)}`,
    figure: `${megabytes(bytes)}, median ${duration(median)}, longest ${duration(max)}`,
    beside: `longest stall of the event loop in the last minute ${duration(stallMs)}`,
    result: targetResult(bytes > nodes.length ** 2, bytes <= target.matrixBytes),
  });
}

async function measureReaders(stage: Stage): Promise<void> {
  const { agent, environment, programs, report, quick, title, nodes } = stage;
  const seconds = quick ? 10 : 30;
  const program = join(programs, 'event-readers.mjs');
  let figures: ReaderFigures = { events: 0, fewest: 0, connected: 0, ended: 0 };
  // The first node is the agent's own and stays connected.
  const addresses = addressesOf(nodes.slice(1, 1 + flapping));
  const { rtt } = await watchUnder(stage, seconds, async () => {
    const { output } = startCommand(environment.agentNamespace, [
      process.execPath,
      program,
      agent.socketPath,
      `${readers.reading}`,
      `${readers.silent}`,
      `${seconds}`,
    ]);
    const [{ stdout }] = await Promise.all([output, flap(stage, addresses, seconds)]);
    figures = JSON.parse(stdout) as ReaderFigures;
    return stdout;
  });
  const { events, fewest, connected, ended } = figures;
  const stallMs = await longestStallMs(agent.socketPath);
  report.add('event-readers', { nodes: nodes.length, seconds, ...figures, rtt, stallMs });
  const all = readers.reading + readers.silent;
  report.row({
    promise: `ICMP RTT error while ${all} readers of /v1/events are connected, of which ${readers.silent} do not read, ${title}`,
    target: 'median <= 10 µs, p99 <= 50 µs; all readers get all events',
    figure: `${errorText(rtt.error)}; ${connected} connected, each reader got at least ${count(fewest)} events`,
    beside: `${count(events / seconds)} events a second in all, ${ended} streams ended, longest stall ${duration(stallMs)}`,
    result: targetResult(
      rtt.error.median <= target.medianNs,
      rtt.error.p99 <= target.p99Ns,
      connected === all,
      fewest * readers.reading === events,
      fewest > 0,
    ),
  });
}

/** Cuts nodes off and brings them back, repeatedly. */
async function flap(
  { environment }: Stage,
  addresses: readonly string[],
  seconds: number,
): Promise<void> {
  const untilMs = performance.now() + (seconds - 3) * 1000;
  while (performance.now() < untilMs) {
    await environment.cut(addresses);
    await delay(4000);
    await environment.restore(addresses);
    await delay(3000);
  }
}

async function longestStallMs(socketPath: string): Promise<number> {
  const { body } = await ask(socketPath, '/v1beta/healthz');
  const health = JSON.parse(body.toString()) as DaemonHealth;
  return health['event-loop']?.['longest-stall-ms'] ?? NaN;
}
