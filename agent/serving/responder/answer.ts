import type { Request } from './request-head.js';

/** What the responder answers to a request. */
export interface Answer {
  readonly status: 200 | 404;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** A request and who sent it. */
export interface RemoteRequest extends Request {
  readonly remoteAddress: string;
}

/** `GET /hello` is 200 and everything else 404, both without a body. */
export function answerHello({ method, path }: RemoteRequest): Answer {
  const isFound = path === '/hello' && (method === 'GET' || method === 'HEAD');
  return { status: isFound ? 200 : 404 };
}

/** The header of a GET, and of its answer, that carries what agents tell each other. */
export const piggybackHeader = 'meshprobe-exchange';

/**
 * Takes what a GET carried and where it came from. If it returns undefined, the GET is answered
 * like any other.
 */
export type AnswerPiggyback = (
  header: string,
  remoteAddress: string,
) => { readonly header: string; readonly body: string } | undefined;

/**
 * Answers like `answerHello`, but a `GET /hello` from a peer also gets what agents tell each other.
 */
export function createAnswer(answerPiggyback: AnswerPiggyback): (request: RemoteRequest) => Answer {
  return (request) => {
    const { method, path, headers, remoteAddress } = request;
    const carried = headers.get(piggybackHeader);
    if (carried === undefined || method !== 'GET' || path !== '/hello') return answerHello(request);
    const answer = answerPiggyback(carried, remoteAddress);
    if (!answer) return answerHello(request);
    const { header, body } = answer;
    return { status: 200, headers: { [piggybackHeader]: header }, body: Buffer.from(body) };
  };
}

const reasons = {
  200: 'OK',
  400: 'Bad Request',
  404: 'Not Found',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
} as const;

/** The head of an answer as it goes over the wire. Every answer is the last of its connection. */
export function formatAnswerHead({ status, headers = {}, body }: Answer): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (
    `HTTP/1.1 ${status} ${reasons[status]}\r\n${fields.join('')}content-length: ${body?.length ?? 0}\r\n` +
    `Date: ${new Date().toUTCString()}\r\nConnection: close\r\n\r\n`
  );
}

/** The answer to anything that is no request or that takes too long. */
export function formatRefusal(status: 400 | 408 | 431): string {
  return `HTTP/1.1 ${status} ${reasons[status]}\r\nConnection: close\r\n\r\n`;
}
