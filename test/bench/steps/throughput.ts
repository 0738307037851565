import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ThroughputLine } from '../../../api/schema/v1/throughput.js';
import { runIn } from '../../lab/lib/command.js';
import { startCommand, startService } from '../environment/child.js';
import { logProgress } from '../progress.js';
import { percent, short } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import { summarise } from '../statistics.js';
import type { Bench } from './step.js';

const peerIp = '198.51.100.2';
/** Beside the responder that the environment has, without a key. */
const port = 4250;
const iperfPort = 5201;
const streams = 4;
/** A test must come to this share of what iperf3 measures, up to 5 Gbit/s. */
const leastShare = 0.9;

/** The links, in Mbit/s; undefined: as fast as this machine. The bucket holds what passes in some milliseconds. */
const links = [
  { mbits: 100, burst: '64kb' },
  { mbits: 1000, burst: '512kb' },
  { mbits: 5000, burst: '4mb' },
  { mbits: undefined, burst: '' },
] as const;
type Link = (typeof links)[number];

const ways = ['to', 'from'] as const;

/** What one run came to, one way. */
interface Run {
  readonly bitsPerSecond: number;
  /** Processor time of the end in the agent's namespace. */
  readonly cpuMsPerGb: number;
}
type Runs = Record<(typeof ways)[number], Run>;

/**
 * Measures what gets through a link by a throughput test and by iperf3, in turns, so that other work of the machine meets
 * both alike. Each rate is that of the receiver.
 */
export async function measureThroughput(bench: Bench): Promise<void> {
  const { environment: ground, agentProgram } = bench;
  const keyFile = join(ground.folder, 'throughput-key');
  await writeFile(keyFile, 'a key of sixteen bytes or more\n');
  const responder = startService(
    ground.peerNamespace,
    [
      ...[process.execPath, agentProgram, 'responder', '--targets', 'none'],
      ...['--probe-port', `${port}`, '--mesh-key-file', keyFile],
    ],
    join(ground.folder, 'throughput-responder.log'),
  );
  const iperf = startService(
    ground.peerNamespace,
    ['iperf3', '--server', '--port', `${iperfPort}`],
    join(ground.folder, 'iperf3.log'),
  );
  try {
    await untilAnswered(bench, keyFile);
    for (const link of links) await measureLink(bench, link, keyFile);
  } finally {
    await Promise.all([responder.stop(), iperf.stop()]);
  }
}

async function measureLink(bench: Bench, link: Link, keyFile: string): Promise<void> {
  const { environment: ground, report, quick } = bench;
  const [seconds, rounds] = quick ? [1, 1] : [3, 5];
  const name = link.mbits === undefined ? 'as fast as this machine' : `${link.mbits} Mbit/s`;
  logProgress(`throughput: a link ${name}`);
  const ours = { to: [] as Run[], from: [] as Run[] };
  const theirs = { to: [] as Run[], from: [] as Run[] };
  const unlimit = await limit(ground, link);
  try {
    for (let round = 0; round < rounds; round++) {
      const [tested, compared] = [
        await runTest(bench, keyFile, seconds),
        await runIperf(bench, seconds),
      ];
      for (const way of ways) {
        ours[way].push(tested[way]);
        theirs[way].push(compared[way]);
      }
    }
  } finally {
    await unlimit();
  }
  report.add('throughput', { link: name, rounds, seconds, streams, ours, iperf3: theirs });
  for (const way of ways) {
    const [test, iperf] = [median(ours[way]), median(theirs[way])];
    const ratio = test.bitsPerSecond / iperf.bitsPerSecond;
    const hasTarget = link.mbits !== undefined;
    report.row({
      promise: `throughput ${way} a peer, ${streams} streams, a link ${name}`,
      target: hasTarget ? `>= ${percent(leastShare)} of iperf3` : '',
      figure: `${short(test.bitsPerSecond / 1e6)} Mbit/s, ${percent(ratio)}`,
      beside: `iperf3 ${short(iperf.bitsPerSecond / 1e6)} Mbit/s; processor time ${short(test.cpuMsPerGb)} ms a GB, iperf3 ${short(iperf.cpuMsPerGb)}; medians of ${rounds} of ${seconds} s in turns; load ${short(loadavg()[0] ?? 0)}`,
      result: hasTarget ? targetResult(ratio >= leastShare) : '',
    });
  }
}

function median(runs: readonly Run[]): Run {
  const of = (name: keyof Run): number => summarise(runs.map((run) => run[name])).median;
  return { bitsPerSecond: of('bitsPerSecond'), cpuMsPerGb: of('cpuMsPerGb') };
}

/** Slows the link down, both ways. Returns how to undo it. */
async function limit(
  { agentNamespace, peerNamespace }: Bench['environment'],
  { mbits, burst }: Link,
): Promise<() => Promise<void>> {
  if (mbits === undefined) return () => Promise.resolve();
  const namespaces = [agentNamespace, peerNamespace];
  const bucket = `tbf rate ${mbits}mbit burst ${burst} latency 20ms`.split(' ');
  for (const namespace of namespaces) {
    await runIn(namespace, ['tc', 'qdisc', 'add', 'dev', 'eth0', 'root', ...bucket]);
  }
  return async () => {
    for (const namespace of namespaces) {
      await runIn(namespace, ['tc', 'qdisc', 'del', 'dev', 'eth0', 'root']);
    }
  };
}

async function runTest(
  { environment: ground, programs }: Bench,
  keyFile: string,
  seconds: number,
): Promise<Runs> {
  const { output } = startCommand(ground.agentNamespace, [
    ...[process.execPath, join(programs, 'throughput-test.mjs'), peerIp, `${port}`, keyFile],
    ...[`${seconds * 1000}`, '10000000000', `${streams}`],
  ]);
  const { stdout } = await output;
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ThroughputLine & { readonly cpuMs: number });
  const runs: Partial<Runs> = {};
  for (const line of lines) {
    if (line.type === 'error') throw new Error(line.text);
    if (line.type !== 'direction') continue;
    const { direction, bitsPerSecond, bytes, cpuMs } = line;
    runs[direction] = { bitsPerSecond, cpuMsPerGb: (cpuMs / bytes) * 1e9 };
  }
  return whole(runs);
}

async function runIperf({ environment: ground }: Bench, seconds: number): Promise<Runs> {
  const runs: Partial<Runs> = {};
  for (const way of ways) {
    const { output } = startCommand(ground.agentNamespace, [
      ...['iperf3', '--client', peerIp, '--port', `${iperfPort}`, '--json'],
      ...['--parallel', `${streams}`, '--time', `${seconds}`],
      ...(way === 'from' ? ['--reverse'] : []),
    ]);
    const { end } = JSON.parse((await output).stdout) as {
      readonly end: {
        readonly sum_received: { readonly bits_per_second: number; readonly bytes: number };
        readonly sum_sent: { readonly seconds: number };
        readonly cpu_utilization_percent: { readonly host_total: number };
      };
    };
    const { sum_received: received, sum_sent: sent, cpu_utilization_percent: cpu } = end;
    const cpuMs = (cpu.host_total / 100) * sent.seconds * 1000;
    runs[way] = {
      bitsPerSecond: received.bits_per_second,
      cpuMsPerGb: (cpuMs / received.bytes) * 1e9,
    };
  }
  return whole(runs);
}

function whole({ to, from }: Partial<Runs>): Runs {
  if (to === undefined || from === undefined) throw new Error('expected both ways, got one');
  return { to, from };
}

/** Both servers take their time to start. */
async function untilAnswered(bench: Bench, keyFile: string): Promise<void> {
  const endMs = performance.now() + 20_000;
  for (;;) {
    try {
      await runTest(bench, keyFile, 0.1);
      await runIperf(bench, 1);
      return;
    } catch (error) {
      if (performance.now() > endMs) throw error;
      await delay(200);
    }
  }
}
