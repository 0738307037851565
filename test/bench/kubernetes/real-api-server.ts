import type { ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IncomingMessage } from 'node:http';
import { endProcess, spawnLogged } from '../../resources/logged-process.js';

const startDeadlineMs = 180_000;
const [port, etcdPort, peerPort] = [16_443, 12_379, 12_380];

/** A real kube-apiserver with its etcd, on loopback. */
export class RealApiServer {
  readonly port = port;
  readonly #folder: string;
  readonly #programs: string;
  readonly #children: ChildProcess[] = [];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16, rejectUnauthorized: false });

  /**
   * @param programs the folder of the programs
   * @param folder where it may write
   */
  constructor(programs: string, folder: string) {
    [this.#programs, this.#folder] = [programs, folder];
  }

  /** @throws Error with the end of the log where it does not become ready */
  async start(): Promise<void> {
    const at = (name: string) => join(this.#folder, name);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(at('key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
    writeFileSync(at('tokens'), 'admin,admin,admin,"system:masters"\n');
    this.#spawn('etcd', [
      ...['--data-dir', at('etcd'), '--unsafe-no-fsync'],
      ...['--listen-client-urls', `http://127.0.0.1:${etcdPort}`],
      ...['--advertise-client-urls', `http://127.0.0.1:${etcdPort}`],
      ...['--listen-peer-urls', `http://127.0.0.1:${peerPort}`],
    ]);
    this.#spawn('kube-apiserver', [
      ...['--etcd-servers', `http://127.0.0.1:${etcdPort}`, '--cert-dir', at('certificates')],
      ...['--bind-address', '127.0.0.1', '--secure-port', String(port)],
      // Nobody is told it here; without a route the server finds none of its own.
      ...['--advertise-address', '192.0.2.1'],
      ...['--service-account-issuer', 'https://kubernetes.default.svc'],
      ...['--service-account-key-file', at('key'), '--service-account-signing-key-file', at('key')],
      ...['--token-auth-file', at('tokens'), '--authorization-mode', 'RBAC'],
      ...['--service-cluster-ip-range', '10.96.0.0/24'],
    ]);
    const deadlineMs = performance.now() + startDeadlineMs;
    while ((await this.ask('GET', '/readyz').catch(() => 0)) !== 200) {
      if (performance.now() > deadlineMs) {
        throw new Error(readFileSync(at('kube-apiserver.log'), 'utf8').slice(-1000));
      }
      await sleep(500);
    }
  }

  /** One request as the administrator; resolves with the status. A patch is a strategic one, as kubelets send it. */
  async ask(method: string, path: string, body?: object): Promise<number> {
    const type = method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';
    const asked = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      agent: this.#agent,
      headers: { authorization: 'Bearer admin', 'content-type': type },
    });
    asked.end(body && JSON.stringify(body));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    await text(answer);
    return answer.statusCode ?? 0;
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    for (const child of this.#children.reverse()) await endProcess(child, 'SIGKILL');
  }

  #spawn(name: string, args: readonly string[]): void {
    const command = [join(this.#programs, name), ...args] as const;
    this.#children.push(spawnLogged(join(this.#folder, `${name}.log`), command));
  }
}
