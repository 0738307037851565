import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { codeOf } from '../../platform/errors.js';
import { formatValue } from '../../platform/format-value.js';
import { KubernetesApiError } from './kubernetes-api-error.js';
import type { KubeAccess } from './kube-access.js';
import type { TunnelOptions } from './proxy-agent.js';
import { readRetryAfter } from './retry-after.js';

/** A request that changes something. Its body is JSON. */
export interface ApiWrite {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
}

/** Reads from one Kubernetes API server. */
export interface ApiReader {
  /**
   * One GET; resolves with the body once the server has said 200. The signal ends all of it,
   * also while it connects or while the body is read. It asks for JSON, unless it is told what else.
   * @throws KubernetesApiError where the server says anything else
   */
  get(path: string, signal: AbortSignal, accept?: string): Promise<AsyncIterable<Buffer>>;
  close(): void;
}

/** Reads and writes. */
export interface ApiClient extends ApiReader {
  /**
   * One write; resolves once the server has said 200 or 201 and its answer was read to the end, with
   * the first 64 KiB of it.
   * @throws KubernetesApiError where the server says anything else
   */
  write(write: ApiWrite, signal: AbortSignal): Promise<string>;
}

/** More of an answer that explains something is not kept. */
const maxKeptBytes = 64 << 10;

/**
 * A server that comes back after it accepted no connections is not kept waiting longer than this.
 */
const defaultConnectMs = 5000;
const keepAliveMs = 15_000;

/** The part of the proxy's answer that https-proxy-agent passes on. */
interface ProxyAnswer {
  readonly statusCode: number;
}

/** An API client that uses the identity that is current at each request. */
export function createApiClient(
  access: KubeAccess,
  { connectMs = defaultConnectMs }: { readonly connectMs?: number } = {},
): ApiClient {
  async function ask(
    path: string,
    signal: AbortSignal,
    { accept = 'application/json', write }: { accept?: string | undefined; write?: ApiWrite } = {},
  ): Promise<IncomingMessage> {
    const { server, agent, tls, headers } = await access.forRequest();
    signal.throwIfAborted();
    const url = new URL(server.pathname.replace(/\/$/, '') + path, server);
    const send = url.protocol === 'http:' ? requestHttp : requestHttps;
    const sent = {
      accept,
      'user-agent': 'meshprobe-agent',
      ...(write && {
        'content-type': write.contentType,
        'content-length': Buffer.byteLength(write.body),
      }),
    };
    const ending: TunnelOptions & RequestOptions = { signal, tunnelSignal: signal };
    const method = write?.method ?? 'GET';
    const asked = send(url, { ...tls, ...ending, method, agent, headers: { ...sent, ...headers } });
    const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
    // `once` has stopped to listen when the request fails later on.
    asked.on('error', () => undefined);
    asked.once('proxyConnect', ({ statusCode }: ProxyAnswer) => {
      if (statusCode === 200) return;
      asked.destroy(new Error(`the proxy answered CONNECT with HTTP ${statusCode}`));
    });
    const timer = setTimeout(() => {
      asked.destroy(new Error(`no connection to ${url.host} within ${connectMs / 1000} s`));
    }, connectMs);
    // A watch may be silent for minutes. TCP keepalive notices within half a minute that the host
    // is gone.
    asked.once('socket', (socket) => socket.setKeepAlive(true, keepAliveMs));
    // The request was sent, so there is a connection.
    asked.once('finish', () => clearTimeout(timer));
    asked.end(write?.body);
    const [answer] = await answered.finally(() => clearTimeout(timer));
    if (answer.statusCode === 200 || (write && answer.statusCode === 201)) return answer;
    if (answer.statusCode === 401) access.forget();
    throw await readError(answer);
  }

  return {
    get: async (path, signal, accept) => named(await ask(path, signal, { accept })),
    async write(write, signal) {
      // The connection is kept for the next request only when the answer was read.
      const kept: Buffer[] = [];
      let bytes = 0;
      for await (const part of named(await ask(write.path, signal, { write }))) {
        if (bytes < maxKeptBytes) kept.push(part);
        bytes += part.length;
      }
      return Buffer.concat(kept).subarray(0, maxKeptBytes).toString();
    },
    close: () => access.close(),
  };
}

/** For a cut connection Node's error says only "aborted". */
async function* named(answer: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* answer as AsyncIterable<Buffer>;
  } catch (error) {
    if (codeOf(error) !== 'ECONNRESET') throw error;
    throw new Error('the connection was cut', { cause: error });
  }
}

async function readError(answer: IncomingMessage): Promise<KubernetesApiError> {
  const status = answer.statusCode ?? 0;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes > maxKeptBytes) break;
  }
  const retryAfterMs = readRetryAfter(answer.headers['retry-after']);
  return new KubernetesApiError(
    explain(status, Buffer.concat(parts).toString()),
    status,
    retryAfterMs,
  );
}

function explain(status: number, body: string): string {
  let message: unknown = body;
  try {
    message = (JSON.parse(body) as { message?: unknown } | null)?.message ?? body;
  } catch {
    // A proxy in between may answer with anything.
  }
  const text = typeof message === 'string' ? message.slice(0, 200) : '';
  return text === '' ? `HTTP ${status}` : `HTTP ${status}: ${quoteForMessage(text)}`;
}

/** Escaped, without the quotes around it. */
function quoteForMessage(text: string): string {
  return formatValue(text).slice(1, -1);
}
