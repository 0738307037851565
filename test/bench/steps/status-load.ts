import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startCapture } from '../capture/capture.js';
import { startCommand, startService, type Service } from '../environment/child.js';
import { apiPort } from '../environment/environment.js';
import { ask } from '../environment/status.js';
import { count, duration, megabytes, percent } from '../report/numbers.js';
import { targetResult } from '../report/report.js';
import type { Summary } from '../statistics.js';
import { conditionalScript, readWrk, type Load } from '../wrk.js';
import { errorText, rttErrorOf } from './rtt.js';
import type { Stage } from './step.js';

const target = { share: 0.6, p99OfBare: 1.5 };
const barePort = 4299;

type Way = 'tcp' | 'unix';

/** One client asks for the status as fast as it can: the agent and a bare server in turn. */
export async function measureStatusLoad(stage: Stage): Promise<void> {
  const { agent, environment: ground, programs, report, quick, title, nodes } = stage;
  const seconds = quick ? 2 : 5;
  const { body, etag = '' } = await agent.status();
  const bareSocket = join(ground.folder, 'bare.sock');
  const script = join(ground.folder, 'conditional.lua');
  await writeFile(script, conditionalScript);
  const bare = await startBareServer(stage, body, etag, bareSocket);
  const load = (way: Way, of: 'agent' | 'bare', isConditional: boolean): Promise<Load> =>
    way === 'tcp'
      ? runWrk(stage, of === 'agent' ? apiPort : barePort, seconds, isConditional ? script : '')
      : runClient(stage, of === 'agent' ? agent.socketPath : bareSocket, seconds, isConditional);
  try {
    for (const way of ['tcp', 'unix'] as const) {
      const capture = await startCapture(programs, ground.agentNamespace);
      const since = Date.now();
      const full = await load(way, 'agent', false);
      const rtt = rttErrorOf(await capture.stop(), [(await agent.status()).body], since);
      const bareFull = await load(way, 'bare', false);
      const conditional = await load(way, 'agent', true);
      const bareConditional = await load(way, 'bare', true);
      report.add('status', {
        nodes: nodes.length,
        way,
        bodyBytes: body.length,
        full,
        bareFull,
        conditional,
        bareConditional,
        rtt,
      });
      const share = full.perSecond / bareFull.perSecond;
      report.row({
        promise: `GET status (${megabytes(body.length)}) while probing, ${way}, ${title}`,
        target: '>= 60 % of a bare server, p99 <= 1.5 x bare',
        figure: `${loadText(full)} = ${percent(share)} of bare`,
        beside: `bare: ${loadText(bareFull)}`,
        result: targetResult(
          share >= target.share,
          full.p99Ms <= bareFull.p99Ms * target.p99OfBare,
          full.errors === 0,
        ),
      });
      report.row({
        promise: `the same with If-None-Match, ${way}, ${title}`,
        figure: `${loadText(conditional)}, ${percent(conditional.unchangedShare)} of them 304`,
        beside: `bare: ${loadText(bareConditional)}, ${percent(bareConditional.unchangedShare)} of them 304`,
      });
      report.row({
        promise: `ICMP RTT error meanwhile, ${way}, ${title}`,
        target: 'median <= 10 µs, p99 <= 50 µs',
        figure: errorText(rtt.error),
        beside: `n=${count(rtt.error.count)}${beforeText(stage)}`,
        result: targetResult(rtt.error.median <= 10_000, rtt.error.p99 <= 50_000),
      });
    }
  } finally {
    await bare.stop();
  }
}

/** The same figure without the load, if it was measured. */
function beforeText({ report, nodes, engine }: Stage): string {
  const before = report
    .of('rtt')
    .find((figures) => figures['nodes'] === nodes.length && figures['engine'] === engine);
  return before ? `; without the load: ${errorText(before['error'] as Summary)}` : '';
}

function loadText({ perSecond, p99Ms, errors }: Load): string {
  const failed = errors > 0 ? `, ${errors} failed` : '';
  return `${count(perSecond)}/s, p99 ${duration(p99Ms)}${failed}`;
}

async function startBareServer(
  { environment: ground, programs }: Stage,
  body: Buffer,
  etag: string,
  socketPath: string,
): Promise<Service> {
  const file = join(ground.folder, 'status.json');
  await writeFile(file, body);
  const program = join(programs, 'bare-server.mjs');
  const server = startService(
    ground.agentNamespace,
    [process.execPath, program, file, etag, `${barePort}`, socketPath],
    join(ground.folder, 'bare-server.log'),
  );
  for (let tries = 0; tries < 200; tries++) {
    const answer = await ask(socketPath, '/').catch(() => undefined);
    if (answer) return server;
    await delay(25);
  }
  await server.stop();
  throw new Error('the bare server did not answer');
}

async function runWrk(
  { environment: ground }: Stage,
  port: number,
  seconds: number,
  script: string,
): Promise<Load> {
  const { output } = startCommand(ground.agentNamespace, [
    'wrk',
    '-t',
    '1',
    '-c',
    '1',
    '-d',
    `${seconds}s`,
    '--latency',
    ...(script === '' ? [] : ['-s', script]),
    `http://127.0.0.1:${port}/v1beta/status`,
  ]);
  return readWrk((await output).stdout);
}

async function runClient(
  { environment: ground, programs }: Stage,
  socketPath: string,
  seconds: number,
  isConditional: boolean,
): Promise<Load> {
  const program = join(programs, 'socket-client.mjs');
  const { output } = startCommand(ground.agentNamespace, [
    process.execPath,
    program,
    socketPath,
    '/v1beta/status',
    `${seconds}`,
    ...(isConditional ? ['conditional'] : []),
  ]);
  return JSON.parse((await output).stdout) as Load;
}
