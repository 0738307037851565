// Sends requests over one connection to a unix socket, one after the other. It prints how long they
// took.
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { summarise } from '../statistics.js';

const [socketPath = '', path = '/', seconds = '1', mode = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const timesMs: number[] = [];
let etag: string | undefined;
let unchanged = 0;
let errors = 0;

async function get(): Promise<void> {
  const headers = mode === 'conditional' && etag !== undefined ? { 'if-none-match': etag } : {};
  const call = request({ socketPath, path, agent, headers }).end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  etag = response.headers.etag;
  if (response.statusCode === 304) unchanged++;
  else if (response.statusCode !== 200) throw new Error(`status ${response.statusCode ?? 0}`);
}

const startedMs = performance.now();
const untilMs = startedMs + Number(seconds) * 1000;
for (let nowMs = startedMs; nowMs < untilMs;) {
  try {
    await get();
  } catch {
    errors++;
  }
  const thenMs = performance.now();
  timesMs.push(thenMs - nowMs);
  nowMs = thenMs;
}
agent.destroy();
const { count, median, p99 } = summarise(timesMs);
const perSecond = (count / (performance.now() - startedMs)) * 1000;
process.stdout.write(
  `${JSON.stringify({ perSecond, medianMs: median, p99Ms: p99, unchangedShare: unchanged / count, errors })}\n`,
);
