// `npm run measure:responder`: measures the CPU and memory of the responder as the manifests start
// it, at rest and after requests; and again while it probes targets of each kind that needs no right.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { ensureReady } from './ready.js';
import { root } from './sources.js';

const requests = 15_000;
const host = '127.0.0.1';
const [warmUpMs, measuredMs] = [20_000, 60_000];
/** @type {unknown[]} */
let lastResults = [];

ensureReady();
const endpoint = readFileSync(join(root, 'deploy', 'kubernetes', 'base', 'endpoint.yaml'), 'utf8');
const options = parseAllDocuments(endpoint)
  .map((one) => /** @type {any} */ (one.toJS()).spec.template.spec.containers[0].env)
  .flat()
  .find(({ name }) => name === 'NODE_OPTIONS').value;

const free = createServer().listen(0, host);
await once(free, 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (free.address());
free.close();
await once(free, 'close');

const program = join(root, 'dist', 'agent', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'meshprobe-measure-'));
let responder = start();
process.once('exit', () => {
  responder.kill();
  rmSync(folder, { recursive: true });
});
await isAnswering();
report('at rest');
let left = requests;
await Promise.all(Array.from({ length: 8 }, askOnAndOn));
report(`after ${requests} requests, each on a connection of its own`);
responder.kill();
await once(responder, 'exit');

const targets = await serveTargets();
const file = join(folder, 'targets.json');
writeFileSync(file, JSON.stringify({ targets: targets.list }));
responder = start(`--targets-file=${file}`);
await isAnswering();
const asking = setInterval(() => void askForResults(), 2000);
await delay(warmUpMs);
const [beforeMs, before] = [performance.now(), cpuMs()];
await delay(measuredMs);
const share = (cpuMs() - before) / (performance.now() - beforeMs);
report(`while it probes ${targets.list.length} targets, each every five seconds`);
process.stdout.write(
  `${(share * 100).toFixed(2)} % of a core (target 0.1 %), ${lastResults.length} targets told\n`,
);
clearInterval(asking);
responder.kill();
targets.stop();

/** @param {readonly string[]} more */
function start(...more) {
  return spawn(
    process.execPath,
    [program, 'responder', '--listen-address', host, `--probe-port=${port}`, ...more],
    { env: { NODE_OPTIONS: options }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
}

async function isAnswering() {
  for (;;) {
    const [lines] = await once(
      /** @type {import('node:stream').Readable} */ (responder.stdout),
      'data',
    );
    if (String(lines).includes('responder is answering')) return;
  }
}

/** Servers on loopback, one for each kind: an HTTP server, any TCP server, and a DNS server. */
async function serveTargets() {
  const web = createHttpServer((_, answer) => answer.end('ok')).listen(0, host);
  const any = createServer((socket) => socket.end()).listen(0, host);
  const dns = createSocket('udp4').bind(0, host);
  await Promise.all([once(web, 'listening'), once(any, 'listening'), once(dns, 'listening')]);
  dns.on('message', (query, { port: from, address }) => {
    // The question again, and one A record for its name (RFC 1035, 4.1).
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4, 198, 51, 100, 80]);
    dns.send(Buffer.concat([head, question, record]), from, address);
  });
  const portOf = (/** @type {{ address(): any }} */ server) => server.address().port;
  return {
    list: [
      { name: 'web', http: { url: `http://${host}:${portOf(web)}/` } },
      { name: 'any', tcp: `${host}:${portOf(any)}` },
      { name: 'dns', dns: { query: 'a.example', type: 'A', servers: [`${host}:${portOf(dns)}`] } },
    ],
    stop() {
      for (const server of [web, any, dns]) server.close();
    },
  };
}

/** Asks as the agent of its node does. */
async function askForResults() {
  const nonce = randomBytes(12).toString('base64url');
  const headers = { 'meshprobe-targets': `1;node=c/n1;nodes=12;nonce=${nonce}` };
  const [answer] = await once(
    get({ host, port, path: '/hello', agent: false, headers }),
    'response',
  );
  let text = '';
  for await (const chunk of answer) text += chunk;
  lastResults = text === '' ? [] : JSON.parse(text).targets;
}

function cpuMs() {
  const fields =
    readFileSync(`/proc/${responder.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // User and system time, in ticks of ten milliseconds.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function askOnAndOn() {
  while (left-- > 0) {
    const [answer] = await once(get({ host, port, path: '/hello', agent: false }), 'response');
    answer.resume();
    await once(answer, 'end');
  }
}

/** @param {string} when */
function report(when) {
  const status = readFileSync(`/proc/${responder.pid}/status`, 'utf8');
  const mib = (/** @type {string} */ name) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  process.stdout.write(
    `${mib('VmRSS')} MiB resident (its own ${mib('RssAnon')}, highest ${mib('VmHWM')}) ${when}\n`,
  );
}
