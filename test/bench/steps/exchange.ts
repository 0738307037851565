import { setTimeout as delay } from 'node:timers/promises';
import { startAgent, untilSwept, type Agent } from '../environment/agent.js';
import { addressesOf, clusterOf } from '../environment/cluster.js';
import { countersOf, exchangedBytesOf } from '../environment/counters.js';
import { startMeshPeers, type Mode } from '../environment/mesh-peers.js';
import { logProgress } from '../progress.js';
import { count, megabytes, percent, short } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import type { Bench } from './step.js';

/** The port of the peers and the agent. The bench's plain responder uses another one. */
const meshPort = 4250;
const target = { moreCpuShare: 0.03, bytesPerSecond: 50_000 };
/** The time that is measured after each death, and the time to wait for recovery. */
const firstSecondsMs = 5000;
const recoveryMs = 10_000;
/** An agent that no GET reaches any more notices it within two seconds, and refutes for three. */
const refutingMs = 8000;

/** The cost of the agent over a period of time. */
interface Cost {
  readonly cpuShare: number;
  readonly residentBytes: number;
  /** Bytes per second on its device, in each direction. */
  readonly inPerSecond: number;
  readonly outPerSecond: number;
  readonly opensPerSecond: number;
}

/**
 * Measures the cost of an agent with and without the exchange. It does so while all is well, and
 * when some or many nodes die.
 */
export async function measureExchange(bench: Bench, size: number): Promise<void> {
  const deaths = [...new Set([1, 50, Math.round(size * 0.3)])].sort((a, b) => a - b);
  const on = await measureMode(bench, size, 'on', deaths);
  const off = await measureMode(bench, size, 'off', deaths);
  bench.report.add('exchange', { nodes: size, deaths, on, off });
  const title = `exchange, ${count(size)} nodes`;
  const more = on.well.cpuShare / off.well.cpuShare - 1;
  const [moreIn, moreOut] = [
    on.well.inPerSecond - off.well.inPerSecond,
    on.well.outPerSecond - off.well.outPerSecond,
  ];
  bench.report.row({
    promise: `${title}, all well`,
    target: '<= 3 % more CPU, <= 50 KB/s more each way',
    figure: `${percent(more)} more CPU, ${kilobytes(moreIn)} in, ${kilobytes(moreOut)} out`,
    beside: `with: ${textOf(on.well)}; without: ${textOf(off.well)}`,
    result: targetResult(
      more <= target.moreCpuShare,
      Math.max(moreIn, moreOut) <= target.bytesPerSecond,
    ),
  });
  const { refuting } = on;
  if (refuting) {
    const more = (one: 'inPerSecond' | 'outPerSecond' | 'opensPerSecond') =>
      ((refuting.first[one] - refuting.then[one]) * refutingMs) / 1000;
    bench.report.row({
      promise: `${title}, no GET comes any more: what the agent sends to be heard`,
      figure: `${count(Math.round(more('opensPerSecond')))} GETs more, ${short(more('outPerSecond') / 1000)} KB out, ${short(more('inPerSecond') / 1000)} KB in`,
      beside: `in ${refutingMs / 1000} s, against the next ${refutingMs / 1000}`,
    });
  }
  deaths.forEach((dying, index) => {
    const [withIt, without] = [on.dying[index], off.dying[index]];
    if (!withIt || !without) return;
    bench.report.row({
      promise: `${title}, ${count(dying)} die, the first ${firstSecondsMs / 1000} s`,
      figure: `with: ${textOf(withIt)}`,
      beside: `without: ${textOf(without)}`,
    });
  });
}

interface ModeCosts {
  readonly well: Cost;
  /** One cost for each number of deaths. */
  readonly dying: readonly Cost[];
  /** Once no GET of the peers comes any more, and when it has refuted; undefined without the exchange. */
  readonly refuting: { readonly first: Cost; readonly then: Cost } | undefined;
}

async function measureMode(
  bench: Bench,
  size: number,
  mode: Mode,
  deaths: readonly number[],
): Promise<ModeCosts> {
  const { environment, agentProgram: program, quick } = bench;
  logProgress(`exchange ${mode}, ${count(size)} nodes`);
  const nodes = clusterOf(size);
  const peers = await startMeshPeers(bench, { size, port: meshPort, mode });
  try {
    const flags = ['--probe-port', `${meshPort}`, '--mesh', mode];
    const agent = await startAgent(environment, { program, nodes, engine: 'kernel', flags });
    try {
      await untilSwept(agent, size, true);
      await delay(5000);
      const well = await costOf(agent, quick ? 10_000 : 30_000);
      const dying: Cost[] = [];
      for (const number of deaths) {
        const addresses = addressesOf(nodes.slice(size - number));
        await environment.cut(addresses);
        peers.setDead(number);
        dying.push(await costOf(agent, firstSecondsMs));
        await environment.restore(addresses);
        peers.setDead(0);
        await delay(recoveryMs);
      }
      if (mode === 'off') return { well, dying, refuting: undefined };
      peers.fallSilent();
      const first = await costOf(agent, refutingMs);
      return { well, dying, refuting: { first, then: await costOf(agent, refutingMs) } };
    } finally {
      await agent.stop();
    }
  } finally {
    await environment.restoreAll();
    await peers.stop();
  }
}

async function costOf(agent: Agent, windowMs: number): Promise<Cost> {
  const read = async () => ({
    ms: performance.now(),
    usage: await agent.usage(),
    bytes: await exchangedBytesOf(agent.pid),
    opened: (await countersOf(agent.pid)).opened,
  });
  const before = await read();
  await delay(windowMs);
  const after = await read();
  const ms = after.ms - before.ms;
  return {
    cpuShare: (after.usage.cpuMs - before.usage.cpuMs) / ms,
    residentBytes: after.usage.residentBytes,
    inPerSecond: ((after.bytes.received - before.bytes.received) / ms) * 1000,
    outPerSecond: ((after.bytes.sent - before.bytes.sent) / ms) * 1000,
    opensPerSecond: ((after.opened - before.opened) / ms) * 1000,
  };
}

function textOf({ cpuShare, residentBytes, inPerSecond, outPerSecond }: Cost): string {
  return `${percent(cpuShare)}, ${megabytes(residentBytes)}, ${kilobytes(inPerSecond)} in, ${kilobytes(outPerSecond)} out`;
}

function kilobytes(bytesPerSecond: number): string {
  return `${short(bytesPerSecond / 1000)} KB/s`;
}
