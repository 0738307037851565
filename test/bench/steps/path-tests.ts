import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  freeUdpPort,
  measureCpu,
  measureRtts,
  startDatagrams,
  startFlowTests,
  startLargeGets,
  startNothing,
  startSmallGets,
  type Answerer,
  type StartTests,
} from '../path-tests.js';
import { endWithBench } from '../environment/end-with-bench.js';
import { logProgress } from '../progress.js';
import { count, micros, percent, short } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import type { Bench } from './step.js';

const target = { share: 0.003, medianNs: 10_000, p99Ns: 50_000 };
const ip = '127.0.0.1';
const key = '0123456789abcdef0123456789abcdef';

const kinds: readonly { name: string; start: StartTests; unit: string; hasTarget: boolean }[] = [
  { name: 'large GETs', start: startLargeGets, unit: 'GETs', hasTarget: true },
  { name: 'small GETs as often', start: startSmallGets, unit: 'GETs', hasTarget: false },
  { name: 'datagrams (--udp-port)', start: startDatagrams, unit: 'datagrams', hasTarget: true },
  // One path at a time, where probes are lost: nothing that lasts.
  { name: 'a flow test under way', start: startFlowTests, unit: 'SYNs', hasTarget: false },
];

/**
 * Measures what tests of paths cost at 5,000 nodes and the highest rate, in this process against a responder in
 * another, and the RTTs of echoes with and without them.
 */
export async function measurePathTests({ report, quick, agentProgram }: Bench): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'meshprobe-bench-'));
  const keyFile = join(folder, 'key');
  await writeFile(keyFile, key);
  const answerer = { ip, port: await freeUdpPort(ip), udpPort: await freeUdpPort(ip), key };
  const child = spawn(
    process.execPath,
    [
      ...[agentProgram, 'responder', '--targets', 'none', '--listen-address', ip],
      ...['--probe-port', `${answerer.port}`, '--udp-port', `${answerer.udpPort}`],
      ...['--mesh-key-file', keyFile],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  endWithBench(child, folder);
  try {
    await once(child.stdout, 'data');
    await measureAll({ report, quick }, answerer);
  } finally {
    child.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureAll(
  { report, quick }: Pick<Bench, 'report' | 'quick'>,
  answerer: Answerer,
): Promise<void> {
  const ms = quick ? 11_000 : 41_000;
  logProgress('path tests: processor time, alone');
  // The code is compiled before.
  for (const { start } of kinds) await measureCpu(answerer, start, quick ? 3000 : 11_000);
  const idle = await measureCpu(answerer, startNothing, ms / 4);
  for (const { name, start, unit, hasTarget } of kinds) {
    const { share, made, seconds } = await measureCpu(answerer, start, ms);
    const net = Math.max(share - idle.share, 0);
    report.add('path-tests', { name, share: net, made, seconds });
    report.row({
      promise: `${name} at 5,000 nodes, at the highest rate`,
      target: hasTarget ? `<= ${percent(target.share)} of a core` : '',
      figure: `${percent(net)} of a core`,
      beside: `${count(made)} ${unit} in ${short(seconds)} s; idle ${percent(idle.share)}; load ${short(loadavg()[0] ?? 0)}`,
      result: hasTarget ? targetResult(net <= target.share && made > 0) : '',
    });
  }
  logProgress('path tests: RTTs of echoes, with and without');
  const rtts = await measureRtts(answerer, quick ? 3 : 10, quick ? 4000 : 10_000);
  const [median, p99] = [rtts.with.median - rtts.without.median, rtts.with.p99 - rtts.without.p99];
  report.add('path-tests', { ...rtts });
  report.row({
    promise: 'RTT of echoes with all of these at once, less without',
    target: 'median <= 10 µs, p99 <= 50 µs',
    figure: `median ${micros(median)}, p99 ${micros(p99)}`,
    beside: `without: median ${micros(rtts.without.median)}, p99 ${micros(rtts.without.p99)} of ${count(rtts.without.count)}; with: ${micros(rtts.with.median)}, ${micros(rtts.with.p99)}; load ${short(loadavg()[0] ?? 0)}`,
    result: targetResult(median <= target.medianNs, p99 <= target.p99Ns),
  });
}
