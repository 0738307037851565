import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, get } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeEnvironment } from '../../../agent/platform/node-start.js';
import { freeUdpPort } from '../path-tests.js';
import { endWithBench } from './end-with-bench.js';

const ip = '127.0.0.1';
/** As the manifests start it. */
const nodeOptions = '--max-semi-space-size=1 --max-old-space-size=32';
/** How often the agent of its node asks a responder. */
const askEveryMs = 2000;

/** A responder that probes targets. */
export interface TargetResponder {
  readonly pid: number;
  readonly targets: number;
  stop(): Promise<void>;
}

/**
 * Starts a responder on loopback. This process has a target of each kind that needs no right, and asks for the
 * results as the agent of its node would.
 */
export async function startTargetResponder(agentProgram: string): Promise<TargetResponder> {
  const folder = await mkdtemp(join(tmpdir(), 'meshprobe-bench-'));
  const [servers, port] = [await serveTargets(), await freeUdpPort(ip)];
  const file = join(folder, 'targets.json');
  await writeFile(file, JSON.stringify({ targets: servers.targets }));
  const child = spawn(
    process.execPath,
    [
      ...[agentProgram, 'responder', '--listen-address', ip, '--probe-port', `${port}`],
      ...['--targets', 'none', '--targets-file', file],
    ],
    {
      env: { ...nodeEnvironment, NODE_OPTIONS: nodeOptions },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  endWithBench(child, folder);
  child.stdout.resume();
  await once(child.stdout, 'data');
  const asking = setInterval(() => askForResults(port), askEveryMs);
  return {
    pid: child.pid ?? 0,
    targets: servers.targets.length,
    async stop() {
      clearInterval(asking);
      const exited = once(child, 'exit');
      child.kill();
      await exited;
      servers.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** An HTTP server, any TCP server, and a DNS server. */
async function serveTargets() {
  const web = createHttpServer((_, answer) => answer.end('ok')).listen(0, ip);
  const any = createServer((socket) => socket.end()).listen(0, ip);
  const dns = createSocket('udp4').bind(0, ip);
  await Promise.all([web, any, dns].map((server) => once(server, 'listening')));
  dns.on('message', (query, { port, address }) => {
    // The question again, and one A record for its name (RFC 1035, 4.1).
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4, 198, 51, 100, 80]);
    dns.send(Buffer.concat([head, question, record]), port, address);
  });
  const [webAt, anyAt, dnsAt] = [web, any, dns].map((server) => {
    return `${ip}:${(server.address() as AddressInfo).port}`;
  });
  return {
    targets: [
      { name: 'web', http: { url: `http://${webAt}/` } },
      { name: 'any', tcp: anyAt },
      { name: 'dns', dns: { query: 'a.example', type: 'A', servers: [dnsAt] } },
    ],
    close(): void {
      for (const server of [web, any, dns]) server.close();
    },
  };
}

function askForResults(port: number): void {
  const nonce = randomBytes(12).toString('base64url');
  const headers = { 'meshprobe-targets': `1;node=c/n1;nodes=12;nonce=${nonce}` };
  const request = get({ host: ip, port, path: '/hello', agent: false, headers });
  request.on('response', (answer) => answer.resume()).on('error', () => undefined);
}
