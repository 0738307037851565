import { setTimeout as delay } from 'node:timers/promises';
import { startAgent, untilSwept, type Agent } from '../environment/agent.js';
import { defaultCadence } from '../environment/cadence.js';
import { startCommand } from '../environment/child.js';
import { clusterOf } from '../environment/cluster.js';
import { countersOf } from '../environment/counters.js';
import { pathsOf } from '../environment/status.js';
import { count, micros, short } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import { logProgress } from '../progress.js';
import { summarise, type Summary } from '../statistics.js';
import { bareStrategy } from '../strategies.js';
import { readStrace, type SystemCalls } from '../strace.js';
import { runStrategy } from './floor.js';
import { fpingCost } from './fping.js';
import type { Bench } from './step.js';

/** This many nodes reach both budgets, and the first sweep is still short. */
const size = 1000;
const straceMs = 3000;
const target = { timesFping: 3, timesClient: 1.2 };
/** So many GETs are due together in the agent's groups. */
const together = 4;

/** Compares the cost of one probe of the agent with the same probe of a C program. */
export async function measureProbes(bench: Bench): Promise<void> {
  const nodes = clusterOf(size);
  const intervalMs = defaultCadence(size * 2).icmp;
  logProgress('cost per probe: ICMP alone');
  const icmp = await measureAgent(bench, 'echoes', ['--http-interval', '1h']);
  logProgress('cost per probe: HTTP alone');
  const http = await measureAgent(bench, 'connections', ['--icmp-engine', 'off']);
  if (bench.tools.has('fping')) {
    logProgress('cost per probe: fping');
    const fping = await fpingCost(bench, nodes, intervalMs, bench.quick ? 4000 : 10_000);
    const tight = await fpingCost(bench, nodes, intervalMs / 10, 3000);
    const times = icmp.cpuMsPerProbe / fping.cpuMsPerPing;
    bench.report.add('probes', { protocol: 'icmp', ...icmp, fping, fpingTenfold: tight });
    bench.report.row({
      promise: 'CPU per ICMP probe',
      target: `<= ${target.timesFping} x fping`,
      figure: `${micros(icmp.cpuMsPerProbe * 1e6)} = ${short(times)} x${callsText(icmp.calls)}`,
      beside: `fping: ${micros(fping.cpuMsPerPing * 1e6)} at ${count(icmp.perSecond)}/s, ${micros(tight.cpuMsPerPing * 1e6)} at ten times that`,
      result: targetResult(times <= target.timesFping),
    });
  } else {
    bench.report.skip('CPU per ICMP probe', 'needs fping to compare with');
  }
  logProgress('cost per probe: a bare undici Client');
  const client = await runStrategy(
    bench,
    bareStrategy,
    together,
    (together / http.perSecond) * 1000,
  );
  const timesClient = http.cpuMsPerProbe / client.cpuMsPerProbe;
  bench.report.add('probes', { protocol: 'http', ...http, client });
  bench.report.row({
    promise: 'CPU per HTTP probe, fresh connections',
    target: `<= ${target.timesClient} x ${bareStrategy}`,
    figure: `${short(http.cpuMsPerProbe)} ms = ${short(timesClient)} x${callsText(http.calls)}`,
    beside: `${bareStrategy}: ${short(client.cpuMsPerProbe)} ms in groups of ${together}; ${count(http.perSecond)} GETs/s; RTT reported: median ${micros(http.rttNs.median)}, p99 ${micros(http.rttNs.p99)}`,
    result: targetResult(timesClient <= target.timesClient),
  });
}

interface ProbeCost {
  readonly cpuMsPerProbe: number;
  readonly perSecond: number;
  /** The RTTs that the agent reports. */
  readonly rttNs: Summary;
  /** System calls per probe; undefined without strace. */
  readonly calls: (SystemCalls & { readonly perProbe: number }) | undefined;
}

async function measureAgent(
  bench: Bench,
  counted: 'echoes' | 'connections',
  flags: readonly string[],
): Promise<ProbeCost> {
  const { environment: ground, agentProgram: program, quick } = bench;
  const agent = await startAgent(ground, {
    program,
    flags,
    engine: 'kernel',
    nodes: clusterOf(size),
  });
  const read = async () => ({
    ms: performance.now(),
    cpuMs: (await agent.usage()).cpuMs,
    probes: (await countersOf(ground.responder.pid))[counted],
  });
  try {
    await untilSwept(agent, size, counted === 'echoes');
    await delay(1000);
    const before = await read();
    await delay(quick ? 5000 : 12_000);
    const after = await read();
    const probes = after.probes - before.probes;
    const latencies = pathsOf((await agent.status()).body).flatMap(
      ({ protocols }) => protocols[counted === 'echoes' ? 'icmp' : 'http']?.latency ?? [],
    );
    const calls =
      bench.tools.has('strace') && !quick ? await countCalls(bench, agent, counted) : undefined;
    return {
      cpuMsPerProbe: (after.cpuMs - before.cpuMs) / probes,
      perSecond: (probes / (after.ms - before.ms)) * 1000,
      rttNs: summarise(latencies),
      calls,
    };
  } finally {
    await agent.stop();
  }
}

async function countCalls(
  { environment: ground }: Bench,
  { pid }: Agent,
  counted: 'echoes' | 'connections',
): Promise<ProbeCost['calls']> {
  const read = async () => (await countersOf(ground.responder.pid))[counted];
  const before = await read();
  const { child, output } = startCommand(
    ground.agentNamespace,
    ['strace', '-c', '-f', '-p', `${pid}`],
    [0, 130, 'SIGINT'],
  );
  await delay(straceMs);
  child.kill('SIGINT');
  // strace may not be allowed to attach.
  const ended = await output.catch(() => undefined);
  if (!ended) return undefined;
  const calls = readStrace(ended.stderr);
  return { ...calls, perProbe: calls.total / ((await read()) - before) };
}

function callsText(calls: ProbeCost['calls']): string {
  return calls ? `, ${short(calls.perProbe)} system calls` : '';
}
