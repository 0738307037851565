import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { protocols } from '../../../agent/model/sample.js';
import type { DaemonHealth } from '../../../api/schema/daemon-health.js';
import type { History } from '../../../api/schema/history.js';
import { startCapture } from '../capture/capture.js';
import { startCommand } from '../environment/child.js';
import { probePort } from '../environment/environment.js';
import { ask, pathsOf } from '../environment/status.js';
import { count, duration, micros, percent } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import { summarise } from '../statistics.js';
import { readWrk } from '../wrk.js';
import { errorText, rttErrorOf } from './rtt.js';
import type { Stage } from './step.js';

const target = { medianNs: 10_000, p99Ns: 50_000, stallMs: 50 };

/** One kind of load. `load` applies it and resolves with its amount in words. */
interface Phase {
  readonly name: string;
  /** The event loop must not stall for longer than the target. Only what comes first can be judged: stalls are those of the last minute. */
  readonly boundsStall?: true;
  readonly load: (seconds: number) => Promise<string>;
}

/**
 * Compares probing without load and while others flood the agent's servers. The load must not
 * affect it.
 */
export async function measureLoad(stage: Stage): Promise<void> {
  const { report, quick, nodes, title } = stage;
  // In this time every path is probed by both protocols.
  const longestMs = Math.max(stage.cadence.icmp, stage.cadence.http);
  const seconds = Math.ceil(Math.max(quick ? 6000 : 15_000, longestMs * 1.2) / 1000);
  for (const { name, load, boundsStall } of phasesOf(stage)) {
    const { rtt, http, failures, amount } = await watchUnder(stage, seconds, load);
    const stall = await longestStall(stage.agent.socketPath);
    report.add('load', {
      nodes: nodes.length,
      phase: name,
      seconds,
      rtt,
      http,
      failures,
      amount,
      stall,
    });
    const stallTarget = boundsStall ? `; longest stall <= ${duration(target.stallMs)}` : '';
    report.row({
      promise: `probing, ${name}, ${title}`,
      target: `ICMP error median <= 10 µs, p99 <= 50 µs; no failures${stallTarget}`,
      figure: `${errorText(rtt.error)}; ${count(failures)} failures; longest stall of the last minute ${duration(stall.longestMs)}`,
      beside: [
        `HTTP RTT p50 ${micros(http.clean.median)}, p99 ${micros(http.clean.p99)}`,
        `TCP's p50 ${micros(http.tcp.median)}`,
        `without a processor for up to ${duration(stall.starvedMs)} of it`,
        `tainted: ${percent(http.taintedShare)} of HTTP, ${percent(rtt.tainted / (rtt.error.count + rtt.tainted))} of ICMP`,
        ...(amount === '' ? [] : [amount]),
      ].join('; '),
      result: targetResult(
        rtt.error.median <= target.medianNs,
        rtt.error.p99 <= target.p99Ns,
        failures === 0,
        !boundsStall || stall.longestMs <= target.stallMs,
      ),
    });
  }
}

/** The longest stall of the last minute, and for how long the agent got no processor in one of them. */
async function longestStall(socketPath: string) {
  const { body } = await ask(socketPath, '/v1beta/healthz');
  const { 'event-loop': eventLoop } = JSON.parse(body.toString()) as DaemonHealth;
  return {
    longestMs: eventLoop?.['longest-stall-ms'] ?? NaN,
    starvedMs: eventLoop?.['longest-starvation-ms'] ?? NaN,
  };
}

function phasesOf(stage: Stage): Phase[] {
  const { socketPath } = stage.agent;
  const flood = async (seconds: number, mode: string, to: string, path: string, many: number) => {
    const program = join(stage.programs, 'flood.mjs');
    const { output } = startCommand(stage.environment.agentNamespace, [
      process.execPath,
      program,
      mode,
      to,
      path,
      `${many}`,
      `${seconds}`,
    ]);
    const { perSecond } = JSON.parse((await output).stdout) as { perSecond: number };
    return count(perSecond);
  };
  const hello = `http://127.0.0.1:${probePort}/hello`;
  const onHello = (seconds: number, mode: string, many: number) =>
    flood(seconds, mode, `${probePort}`, '/hello', many);
  const onSocket = (seconds: number, mode: string, many: number) =>
    flood(seconds, mode, socketPath, '/v1beta/status', many);
  return [
    { name: 'calm', load: (seconds) => delay(seconds * 1000, '') },
    {
      name: '/hello pipelined on 64 connections',
      boundsStall: true,
      async load(seconds) {
        return `${await onHello(seconds, 'pipeline', 64)} connections/s`;
      },
    },
    {
      name: '/hello flooded',
      async load(seconds) {
        const wrk = ['wrk', '-t', '1', '-c', '64', '-d', `${seconds}s`, '--latency', hello];
        const [asked, slow, huge] = await Promise.all([
          startCommand(stage.environment.agentNamespace, wrk).output,
          onHello(seconds, 'slow', 256),
          onHello(seconds, 'huge', 4),
        ]);
        return `${count(readWrk(asked.stdout).perSecond)} GETs/s, ${slow} slow and ${huge} huge requests/s`;
      },
    },
    {
      name: '/hello pipelined on 1,000 connections',
      async load(seconds) {
        return `${await onHello(seconds, 'pipeline', 1000)} connections/s`;
      },
    },
    {
      name: 'socket flooded',
      async load(seconds) {
        const [asked, slow, silent, huge] = await Promise.all([
          onSocket(seconds, 'ask', 8),
          onSocket(seconds, 'slow', 64),
          onSocket(seconds, 'silent', 64),
          onSocket(seconds, 'huge', 4),
        ]);
        return `${asked} statuses/s, ${slow} slow, ${silent} silent and ${huge} huge requests/s`;
      },
    },
  ];
}

/** Collects what the agent reports while the load lasts. */
export async function watchUnder(stage: Stage, seconds: number, load: Phase['load']) {
  const { agent, environment: ground, programs, cadence } = stage;
  const capture = await startCapture(programs, ground.agentNamespace);
  const since = Date.now();
  const bodies: Buffer[] = [];
  const run = { isOver: false };
  const loaded = load(seconds).finally(() => {
    run.isOver = true;
  });
  // A failure is thrown by the await below. This line avoids an unhandled rejection before it.
  loaded.catch(() => undefined);
  while (!run.isOver) {
    await Promise.race([delay(cadence.icmp * 0.9), loaded]);
    bodies.push((await agent.status()).body);
  }
  const amount = await loaded;
  const rtt = rttErrorOf(await capture.stop(), bodies, since);
  const failures = await failuresSince(agent.socketPath, since);
  return { rtt, http: httpRtts(bodies, since), failures, amount };
}

/**
 * Counts the probes that failed since then, from the histories of all paths with recent losses.
 */
async function failuresSince(socketPath: string, since: number): Promise<number> {
  const { body } = await ask(socketPath, '/v1beta/status');
  const lossy = pathsOf(body).filter(({ protocols: known }) =>
    protocols.some((protocol) => (known[protocol]?.loss10m ?? 0) > 0),
  );
  const perNode = [...new Set(lossy.map(({ node }) => node))].map(async (node) => {
    const answer = await ask(socketPath, `/v1beta/history?node=${encodeURIComponent(node)}`);
    const { paths } = JSON.parse(answer.body.toString()) as History;
    const samples = paths.flatMap(({ icmp, http }) => [
      ...(icmp?.samples ?? []),
      ...(http?.samples ?? []),
    ]);
    return samples.filter(
      (sample) => sample.failure !== undefined && Date.parse(sample.at) > since,
    );
  });
  return (await Promise.all(perNode)).flat().length;
}

function httpRtts(bodies: readonly Buffer[], since: number) {
  const times = new Map<
    string,
    { readonly ns: number; readonly isTainted: boolean; readonly tcpNs: number | undefined }
  >();
  for (const { ip, protocols: known } of bodies.flatMap((body) => pathsOf(body))) {
    const { latency, lastProbed, failures = 0, tainted = false, tcpRtt } = known.http ?? {};
    if (typeof latency !== 'number' || failures > 0) continue;
    if (!(Date.parse(lastProbed ?? '') > since)) continue;
    times.set(`${ip} ${lastProbed ?? ''}`, {
      ns: latency,
      isTainted: tainted,
      tcpNs: tcpRtt,
    });
  }
  const all = [...times.values()];
  const clean = all.filter(({ isTainted }) => !isTainted).map(({ ns }) => ns);
  return {
    clean: summarise(clean),
    /** The kernel's RTTs of all connections. */
    tcp: summarise(all.flatMap(({ tcpNs }) => tcpNs ?? [])),
    taintedShare: (all.length - clean.length) / all.length,
  };
}
