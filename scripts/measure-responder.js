// `npm run measure:responder`: measures the memory of the responder as the manifests start it, at
// rest and after requests. `npm run bench -- --only footprint` measures it with targets.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { ensureReady } from './ready.js';
import { root } from './sources.js';

const requests = 15_000;
const host = '127.0.0.1';

ensureReady();
// Installed by now.
const { parseAllDocuments } = await import('yaml');
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
const responder = spawn(program, ['responder', '--listen-address', host, `--probe-port=${port}`], {
  env: { PATH: process.env['PATH'], NODE_OPTIONS: options },
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.once('exit', () => responder.kill());
await isAnswering();
report('at rest');
let left = requests;
await Promise.all(Array.from({ length: 8 }, askOnAndOn));
report(`after ${requests} requests, each on a connection of its own`);
responder.kill();

async function isAnswering() {
  for (;;) {
    const [lines] = await once(
      /** @type {import('node:stream').Readable} */ (responder.stdout),
      'data',
    );
    if (String(lines).includes('responder is answering')) return;
  }
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
