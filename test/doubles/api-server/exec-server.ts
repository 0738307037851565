import { spawn } from 'node:child_process';
import {
  createServer,
  request as ask,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { listen } from '../../resources/listen.js';
import type { Ended } from '../../resources/program.js';
import type { ApiServer } from './api-server.js';
import { discovery, group, resources } from './discovery.js';
import { refuse, sendJson, statusObject } from './faults.js';
import { WebSocket } from './web-socket.js';
import type { Writes } from './writes.js';

/** One `kubectl exec`. */
export interface Exec {
  readonly pod: string;
  readonly container: string | null;
  readonly command: readonly string[];
  readonly isTerminal: boolean;
  /** The sizes of the terminal that the client told. */
  readonly sizes: { readonly Width: number; readonly Height: number }[];
}

/** What a command in a pod is: one that is started here, or what came of one that ran in this process. */
type Program = (
  command: readonly string[],
  pod: string,
) => readonly [string, ...string[]] | Promise<Ended>;

const protocol = 'v5.channel.k8s.io';
const channels = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4 };
const onePod = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)(\/exec)?$/;

/**
 * Stands before an API server and adds what kubectl asks beside lists: what there is, one pod, and
 * commands in pods, which run here.
 */
export class ExecServer {
  readonly execs: Exec[] = [];
  /** Whether this user may run commands in pods. */
  allowsExec = true;
  /** Further API groups, beside those of Kubernetes itself. */
  readonly groups: string[] = [];
  /** What may be made and removed; undefined: nothing. */
  writes: Writes | undefined;
  readonly #api: ApiServer;
  readonly #program: Program;
  readonly #server: Server;

  /** @param program what runs here for a command in a pod */
  constructor(api: ApiServer, program: Program) {
    this.#api = api;
    this.#program = program;
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.#server.on('upgrade', (request, socket) => this.#exec(request, socket));
  }

  async start(): Promise<string> {
    return `http://127.0.0.1:${await listen(this.#server)}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', 'http://api');
    if (this.writes?.takes(request, pathname) === true) {
      void this.writes.answer(request, response, pathname);
      return;
    }
    const [, namespace = '', name = '', isExec] = onePod.exec(pathname) ?? [];
    const pod = this.#api.pods(namespace).objects.get(`${namespace}/${name}`);
    if (isExec) refuse(response, 400, 'Upgrade request required');
    else if (pod) sendJson(response, 200, { apiVersion: 'v1', kind: 'Pod', ...pod });
    else if (pathname === '/apis') sendJson(response, 200, this.#groups());
    else if (this.groups.some((name) => pathname === `/apis/${name}/v1`)) {
      sendJson(response, 200, resources(pathname.slice('/apis/'.length), [], []));
    } else if (pathname in discovery) sendJson(response, 200, discovery[pathname]);
    else {
      const asked = ask(`${this.#api.url}${request.url ?? ''}`, { headers: request.headers });
      asked.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      asked.on('error', () => response.destroy());
      request.pipe(asked);
    }
  }

  #groups(): object {
    const { groups } = discovery['/apis'] as { groups: object[] };
    return { ...discovery['/apis'], groups: [...groups, ...this.groups.map(group)] };
  }

  #exec(request: IncomingMessage, socket: Duplex): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://api');
    const [, , pod = ''] = onePod.exec(pathname) ?? [];
    if (!this.allowsExec) {
      const text = JSON.stringify(
        statusObject(
          403,
          `pods "${pod}" is forbidden: User "u" cannot create resource "pods/exec"`,
        ),
      );
      socket.end(
        `HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      );
      return;
    }
    const command = searchParams.getAll('command');
    const exec: Exec = {
      pod,
      container: searchParams.get('container'),
      command,
      isTerminal: searchParams.get('tty') === 'true',
      sizes: [],
    };
    this.execs.push(exec);
    const client = new WebSocket(request, socket, protocol);
    const tell = (channel: number, data: Buffer | string) =>
      client.send(Buffer.concat([Buffer.from([channel]), Buffer.from(data)]));
    const end = (code: number | null): void => {
      tell(channels.status, JSON.stringify(exitStatus(code ?? 137)));
      client.close();
    };
    const program = this.#program(command, pod);
    if (program instanceof Promise) {
      void program.then(({ code, stdout, stderr }) => {
        tell(channels.stdout, stdout);
        tell(channels.stderr, stderr);
        end(code);
      });
      return;
    }
    const [file, ...args] = program;
    const child = spawn(file, args);
    child.stdin.on('error', () => undefined);
    client.on('message', ([channel, ...data]) => {
      const bytes = Buffer.from(data);
      if (channel === channels.stdin) child.stdin.write(bytes);
      else if (channel === channels.resize) {
        exec.sizes.push(JSON.parse(bytes.toString()) as Exec['sizes'][number]);
      } else if (channel === 255) child.stdin.end();
    });
    socket.on('close', () => child.kill());
    child.stdout.on('data', (data: Buffer) => tell(channels.stdout, data));
    child.stderr.on('data', (data: Buffer) => tell(channels.stderr, data));
    child.on('close', end);
  }
}

/** How the API server tells an exit code. */
function exitStatus(code: number): object {
  if (code === 0) return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}
