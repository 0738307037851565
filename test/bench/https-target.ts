import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { monitorEventLoop } from '../../agent/platform/event-loop.js';
import { parseTargetsFile } from '../../agent/targets/definition/targets-file.js';
import { createTargetProber } from '../../agent/targets/probers/create-target-prober.js';
import { freePort } from '../integration/lib/free-port.js';
import { Certificates } from '../integration/targets/lib/certificates.js';
import { probeOnce } from '../integration/targets/lib/probe-once.js';
import { summarise, type Summary } from './statistics.js';

const run = promisify(execFile);
/** Both ask this often, in turns: whatever else the machine does hits both. */
const rounds = 100;

/** How long one GET of an HTTPS target takes, in nanoseconds. */
export interface HttpsRtts {
  readonly agent: Summary;
  readonly curl: Summary;
}

/**
 * Asks one TLS server in turns by the prober of targets and by `curl`, each time on a new connection. The server is
 * openssl's, in a process of its own. It sends no session tickets, as an API server does: the client's last word
 * of the handshake is then not answered by anything but the kernel, after up to 40 ms.
 */
export async function measureHttpsTarget(): Promise<HttpsRtts> {
  const folder = await mkdtemp(join(tmpdir(), 'meshprobe-bench-'));
  const eventLoop = monitorEventLoop();
  const certificates = new Certificates(folder);
  const { cert, key } = certificates.make('localhost', 30);
  const port = await freePort();
  const server = spawn(
    'openssl',
    [
      ...['s_server', '-accept', `127.0.0.1:${port}`, '-cert', cert, '-key', key],
      ...['-num_tickets', '0', '-www'],
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  try {
    // It says so when it listens.
    await once(server.stdout, 'data');
    const url = `https://localhost:${port}/`;
    const [target] = await parseTargetsFile(
      `targets: [{name: a, http: {url: "${url}", ca: ${certificates.ca}}}]`,
    );
    if (!target) throw new Error('expected a target, got none');
    const prober = await createTargetProber(target, {
      eventLoop,
      openIcmp: () => Promise.resolve({ unavailable: 'ICMP is not used here' }),
      thresholds: { failures: 3, recovery: 2 },
    });
    const [agent, curl]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const sample = await probeOnce(prober, 5000);
      if (sample.outcome !== 'reply') throw new Error(`expected a reply, got ${sample.detail}`);
      agent.push(sample.rttNs);
      curl.push(await curlNs(url, certificates.ca));
    }
    prober.close();
    return { agent: summarise(agent), curl: summarise(curl) };
  } finally {
    eventLoop.stop();
    const exited = once(server, 'exit');
    server.kill();
    await exited;
    await rm(folder, { recursive: true });
  }
}

/** From the connect call to the last byte: the lookup of the name is left out. */
async function curlNs(url: string, ca: string): Promise<number> {
  const times = '%{time_total} %{time_namelookup}';
  const { stdout } = await run('curl', [
    ...['--silent', '--show-error', '--ipv4', '--http1.1', '--cacert', ca],
    ...['--output', '/dev/null', '--write-out', times, url],
  ]);
  const [total = NaN, lookup = NaN] = stdout.split(' ').map(Number);
  return (total - lookup) * 1e9;
}
