import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import type * as z from 'zod';
import type { DaemonHealth } from '../schema/daemon-health.js';
import type { History } from '../schema/history.js';
import type { Status } from '../schema/status.js';
import { fillGoZeroValues } from './go-zeros.js';
import { formatAgentAddress, type AgentAddress } from './address.js';
import { ApiError, connectionError, invalidResponse } from './api-error.js';
import { isWellFormedStatus } from './well-formed.js';

export interface ClientOptions {
  readonly address: AgentAddress;
  /** One deadline over connecting, asking and reading the whole answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** What an agent can be asked. Every call rejects with ApiError where there is no good answer. */
export interface Client {
  readonly status: () => Promise<Status>;
  /** Has the agent probe everything now, then gives the fresh status. */
  readonly probe: () => Promise<Status>;
  readonly daemonHealth: () => Promise<DaemonHealth>;
  /** The last probes of a node's paths. */
  readonly history: (node: string) => Promise<History>;
}

/** More than the status of a hundred thousand nodes. */
const maxBodyBytes = 256 * 1024 * 1024;

/** A typed client of one agent. Each call is one connection; answers are validated. */
export function createClient(options: ClientOptions): Client {
  const where = formatAgentAddress(options.address);
  const call = async (method: string, path: string): Promise<unknown> =>
    parseJson(await exchange(options, method, path, where), where);
  // The schemas take longer to load than most answers to read.
  const status = async (method: string, path: string): Promise<Status> => {
    const body = await call(method, path);
    if (isWellFormedStatus(body)) return body;
    const { statusSchema } = await import('../schema/status.js');
    return validated(fillGoZeroValues(body), statusSchema, where);
  };
  const healthz = async (): Promise<DaemonHealth> => {
    const body = await call('GET', '/v1beta/healthz');
    const { daemonHealthSchema: healthzSchema } = await import('../schema/daemon-health.js');
    return validated(body, healthzSchema, where);
  };
  const history = async (node: string): Promise<History> => {
    const body = await call('GET', `/v1beta/history?node=${encodeURIComponent(node)}`);
    const { historySchema } = await import('../schema/history.js');
    return validated(body, historySchema, where);
  };
  /** The listener on TCP is for reading the status alone, so there it is no such path. */
  const explainReadOnly = (error: unknown): never => {
    const { address } = options;
    if (address.kind === 'tcp' && error instanceof ApiError && error.statusCode === 404) {
      throw new ApiError(
        'read-only',
        `${where} answers 'status' and 'history' alone; ask for anything else on the agent's unix socket`,
      );
    }
    throw error;
  };
  return {
    status: () => status('GET', '/v1beta/status'),
    probe: () => status('PUT', '/v1beta/status/probe').catch(explainReadOnly),
    daemonHealth: () => healthz().catch(explainReadOnly),
    history,
  };
}

function validated<T>(body: unknown, schema: z.ZodType<T>, where: string): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue?.path.join('.') ?? '';
  throw invalidResponse(
    where,
    `JSON of another shape (${at === '' ? 'the body' : at}: ${issue?.message ?? ''})`,
  );
}

function exchange(
  options: ClientOptions,
  method: string,
  path: string,
  where: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({
      ...targetOf(options.address),
      method,
      path,
      agent: false,
      headers: { host: 'localhost', accept: 'application/json' },
    });
    const end = (): void => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', cancel);
    };
    const fail = (error: Error): void => {
      end();
      asked.destroy();
      reject(error);
    };
    const timer = setTimeout(
      () => fail(new ApiError('timeout', `${where} did not answer within ${options.timeoutMs} ms`)),
      options.timeoutMs,
    );
    const cancel = (): void => fail(new ApiError('cancelled', 'cancelled'));
    options.signal?.addEventListener('abort', cancel, { once: true });
    asked.on('error', (error) => fail(connectionError(error, options.address)));
    asked.on('response', (answer) => {
      readBody(answer, where).then((text) => {
        end();
        if (answer.statusCode === 200) resolve(text);
        else reject(refusal(answer.statusCode ?? 0, text, where));
      }, fail);
    });
    asked.end();
  });
}

function targetOf(address: AgentAddress): RequestOptions {
  return address.kind === 'unix'
    ? { socketPath: address.path }
    : { host: address.host, port: address.port };
}

function readBody(answer: IncomingMessage, where: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBodyBytes) reject(invalidResponse(where, `more than ${maxBodyBytes} bytes`));
    });
    answer.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    answer.on('error', () => reject(invalidResponse(where, 'an answer that ended midway')));
  });
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidResponse(where, text === '' ? 'an empty body' : 'a body that is no JSON');
  }
}

/** The agent's own words: a JSON string, as every error body is. */
function refusal(status: number, text: string, where: string): ApiError {
  let words: unknown;
  try {
    words = JSON.parse(text);
  } catch {
    words = undefined;
  }
  if (typeof words !== 'string') {
    return new ApiError('status', `${where} answered ${status}`, { statusCode: status });
  }
  const said = words.slice(0, 500);
  const answer = { statusCode: status, words: said };
  return new ApiError('status', `${where} answered ${status}: ${said}`, answer);
}
