import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';
import { formatAgentAddress, type AgentAddress } from './address.js';
import {
  answerError,
  ApiError,
  connectionError,
  invalidResponse,
  isUnknownNode,
  isUnknownTarget,
  isUnknownZone,
} from './api-error.js';
import { openRequest, type AgentAccess } from './open-request.js';

export interface ClientOptions extends AgentAccess {
  /** One deadline for connecting, asking and reading the whole answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Called with each answer that is waited for; of one that is read while it arrives, with its head. */
  readonly onAsk?: (answer: Promise<unknown>) => void;
}

/** The status of a hundred thousand nodes is smaller. */
const maxBodyBytes = 256 * 1024 * 1024;

/**
 * Validates a body against a schema.
 * @throws ApiError if the body does not match
 */
export function validated<T>(body: unknown, schema: z.ZodType<T>, where: string): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue?.path.join('.') ?? '';
  throw invalidResponse(
    where,
    `JSON of another shape (${at === '' ? 'the body' : at}: ${issue?.message ?? ''})`,
  );
}

/**
 * Asks the agent once and reads the whole answer.
 * @throws ApiError if no answer with status 200 arrives
 */
export async function exchange(
  options: ClientOptions,
  method: string,
  path: string,
  where: string,
): Promise<string> {
  const asked = await openRequest(options, { method, path, accept: 'application/json' });
  const answered = new Promise<string>((resolve, reject) => {
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
    if (options.signal?.aborted) cancel();
    let describe = connectionError;
    asked.on('error', (error) => fail(describe(error, options.address)));
    asked.on('response', (answer) => {
      describe = answerError;
      readBody(answer, options.address).then((text) => {
        end();
        if (answer.statusCode === 200) resolve(text);
        else reject(refusal(answer.statusCode ?? 0, text, options));
      }, fail);
    });
    asked.end();
  });
  options.onAsk?.(answered);
  return answered;
}

/**
 * Opens an answer of `/v1` that is read while it arrives. The deadline is for its head alone. With a
 * body it is the answer to a POST.
 * @throws ApiError if no answer with status 200 begins
 */
export async function openAnswer(
  options: ClientOptions,
  path: string,
  accept: string,
  body?: string,
): Promise<IncomingMessage> {
  const { address, timeoutMs, signal } = options;
  const where = formatAgentAddress(address);
  const asked = await openRequest(options, {
    method: body === undefined ? 'GET' : 'POST',
    path,
    accept,
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    const fail = (error: Error): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      asked.destroy();
      reject(error);
    };
    const cancel = (): void => fail(new ApiError('cancelled', 'cancelled'));
    const timer = setTimeout(
      () => fail(new ApiError('timeout', `${where} did not answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
    asked.on('error', (error) => fail(connectionError(error, address)));
    asked.on('response', (answer) => {
      if (answer.statusCode === 200) {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        resolve(answer);
        return;
      }
      readBody(answer, address).then((text) => {
        const refused = refusal(answer.statusCode ?? 0, text, options);
        fail(explainMissing(refused, where, path) as Error);
      }, fail);
    });
    asked.end(body);
  });
  options.onAsk?.(answered);
  return answered;
}

/** Reads the whole body of an answer as text. */
function readBody(answer: IncomingMessage, address: AgentAddress): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= maxBodyBytes) return;
      reject(invalidResponse(formatAgentAddress(address), `more than ${maxBodyBytes} bytes`));
    });
    answer.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    answer.on('error', (error) => reject(answerError(error, address)));
  });
}

/**
 * Parses a body as JSON.
 * @throws ApiError if the body is not JSON
 */
export function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidResponse(where, text === '' ? 'an empty body' : 'a body that is no JSON');
  }
}

/** The agent's own message. Every error body is a JSON string. */
function refusal(status: number, text: string, { address, token }: ClientOptions): ApiError {
  const where = formatAgentAddress(address);
  if (status === 401) {
    return token === undefined
      ? new ApiError('no-token', `${where} expects an API token`, { statusCode: status })
      : new ApiError('wrong-token', `${where} expects another API token`, { statusCode: status });
  }
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

/** Agents that are older than a path of `/v1`, and Cilium's agent, answer 404 to it. */
export function explainMissing(error: unknown, where: string, path: string): unknown {
  if (!(error instanceof ApiError) || error.statusCode !== 404) return error;
  const isNamed = [isUnknownNode, isUnknownTarget, isUnknownZone];
  if (isNamed.some((isThis) => isThis(error))) return error;
  const [route] = path.split('?');
  const words = `${where} does not serve ${route}: its agent is older or another one`;
  return new ApiError('status', words, { cause: error, statusCode: 404 });
}
