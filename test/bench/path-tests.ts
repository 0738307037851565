import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { MeshKeys } from '../../agent/exchange/messages/mesh-keys.js';
import type { Path } from '../../agent/model/path.js';
import type { Sample } from '../../agent/model/sample.js';
import { testFlows } from '../../agent/path-tests/flows/flow-test.js';
import { getPadded, paddingBytes } from '../../agent/path-tests/large/large-get.js';
import { LargePaths } from '../../agent/path-tests/large/large-paths.js';
import { startLargeTester } from '../../agent/path-tests/large/large-tester.js';
import { UdpPaths } from '../../agent/path-tests/udp/udp-paths.js';
import { startUdpTester } from '../../agent/path-tests/udp/udp-tester.js';
import { systemClock } from '../../agent/platform/clock.js';
import { runAtOnce } from '../../agent/platform/time-slices.js';
import { loadLibc } from '../../agent/platform/libc.js';
import { createKernelProber } from '../../agent/probing/icmp/kernel/kernel-engine.js';
import { summarise, type Summary } from './statistics.js';

/** Where `meshprobe-agent responder` answers. */
export interface Answerer {
  readonly ip: string;
  readonly port: number;
  readonly udpPort: number;
  readonly key: string;
}

const nodes = 5000;
/** The default budget of echoes. */
const echoesPerSecond = 250;

/** All paths of so many nodes, which all lead to one address. */
function pathsTo(ip: string): Path[] {
  return Array.from({ length: 2 * nodes }, (_, index): Path => ({
    node: `c/n${index >> 1}`,
    plane: index % 2 === 0 ? 'host' : 'endpoint',
    ip,
  }));
}

/** One kind of test at the highest rate that an agent makes it. `stop` says how many were made. */
export type StartTests = (answerer: Answerer) => () => number;

/** Large GETs: all paths are due, so one goes each second. */
export const startLargeGets: StartTests = (answerer) => startGets(answerer, paddingBytes);

/** The same without padding, to compare. */
export const startSmallGets: StartTests = (answerer) => startGets(answerer, 0);

function startGets({ ip, port }: Answerer, padding: number): () => number {
  const paths = new LargePaths();
  runAtOnce(paths.setPaths(pathsTo(ip), nodes, systemClock.nowMs()));
  let answered = 0;
  const tester = startLargeTester({
    paths,
    clock: systemClock,
    async get(path, _, signal) {
      const outcome = await getPadded({ ip: path.ip, port }, padding, signal);
      if (outcome === 'answered') answered++;
      return outcome;
    },
    findLimit: () => Promise.resolve(undefined),
    refresh: () => Promise.resolve(),
    onLost: () => undefined,
    onLimit: () => undefined,
    onMended: () => undefined,
  });
  return () => {
    tester.stop();
    return answered;
  };
}

/** Datagrams, signed: two trains of eight a second. */
export const startDatagrams: StartTests = ({ ip, udpPort: port, key }) => {
  const paths = new UdpPaths();
  paths.setPaths(pathsTo(ip).map((path) => ({ ...path, sources: new Set([ip]) })));
  const stop = startUdpTester({ paths, port, keys: new MeshKeys([key]), clock: systemClock });
  return () => {
    stop();
    const [host, endpoint] = (['host', 'endpoint'] as const).map((plane) =>
      paths.sum(plane, systemClock.nowMs()),
    );
    return (host?.sent ?? 0) + (endpoint?.sent ?? 0);
  };
};

/** Tests of flows, one right after the other: 64 SYNs three times, in ten seconds. */
export const startFlowTests: StartTests = ({ ip, port }) => {
  const stopping = new AbortController();
  let rounds = 0;
  const run = async (): Promise<void> => {
    for (;;) {
      for await (const line of testFlows({ ip, port }, stopping.signal, loadLibc)) {
        if (line.type === 'round') rounds++;
      }
    }
  };
  void run().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  return () => {
    stopping.abort();
    return rounds * 64;
  };
};

/** What the start leaves behind, as memory of 10,000 new paths, is cleared away before it is measured. */
const settleMs = 3000;

/** The processor time of some tests, as a share of a core, and how many were made in how many seconds. */
export async function measureCpu(
  answerer: Answerer,
  start: StartTests,
  ms: number,
): Promise<{ readonly share: number; readonly made: number; readonly seconds: number }> {
  const stop = start(answerer);
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const [cpu, startMs] = [process.cpuUsage(), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, ms));
  const { user, system } = process.cpuUsage(cpu);
  const share = (user + system) / 1000 / (performance.now() - startMs);
  return { share, made: stop(), seconds: (settleMs + ms) / 1000 };
}

/** The processor time of a process of the bench that does nothing. */
export const startNothing: StartTests = () => () => 0;

export interface Rtts {
  readonly without: Summary;
  readonly with: Summary;
}

/**
 * RTTs of echoes at the default budget, in turns with and without all tests, in this process. Other work of
 * the machine meets both alike.
 */
export async function measureRtts(answerer: Answerer, rounds: number, ms: number): Promise<Rtts> {
  const prober = createKernelProber(loadLibc());
  const path: Path = { node: 'c/n1', plane: 'host', ip: answerer.ip };
  const rtts = { without: [] as number[], with: [] as number[] };
  try {
    for (let round = 0; round < 2 * rounds; round++) {
      const isWith = round % 2 === 1;
      const stops = isWith
        ? [startLargeGets, startDatagrams, startFlowTests].map((start) => start(answerer))
        : [];
      const samples = await echoes((done) => prober.probe(path, 1000, done), ms);
      for (const sample of samples) {
        if (sample.outcome === 'reply') rtts[isWith ? 'with' : 'without'].push(sample.rttNs);
      }
      for (const stop of stops) stop();
    }
  } finally {
    prober.close();
  }
  return { without: summarise(rtts.without), with: summarise(rtts.with) };
}

function echoes(probe: (done: (sample: Sample) => void) => void, ms: number): Promise<Sample[]> {
  return new Promise((resolve) => {
    const samples: Sample[] = [];
    let left = Math.round((ms / 1000) * echoesPerSecond);
    let waiting = 0;
    const timer = setInterval(() => {
      if (left-- > 0) {
        waiting++;
        probe((sample) => {
          samples.push(sample);
          waiting--;
        });
      } else if (waiting === 0) {
        clearInterval(timer);
        resolve(samples);
      }
    }, 1000 / echoesPerSecond);
  });
}

/** A port of UDP that nothing has. */
export async function freeUdpPort(ip: string): Promise<number> {
  const socket = createSocket('udp4').bind(0, ip);
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}
