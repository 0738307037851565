import { nodeHeader, paddingHeader } from '../../model/hello-headers.js';
import { maxPaddingBytes, type Request } from './request-head.js';

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

const padding = Buffer.alloc(maxPaddingBytes, 'x');

/**
 * `GET /hello` is 200 and everything else 404, both without a body. A GET that carries padding gets as
 * many bytes back, never more.
 */
export function answerHello({ method, path, headers }: RemoteRequest): Answer {
  const isFound = path === '/hello' && (method === 'GET' || method === 'HEAD');
  const asked = isFound ? headers.get(paddingHeader) : undefined;
  if (asked === undefined) return { status: isFound ? 200 : 404 };
  return { status: 200, body: padding.subarray(0, asked.length) };
}

/**
 * Takes what a GET carried and where it came from. If it returns undefined, the GET is answered
 * like any other.
 */
export type AnswerPiggyback = (
  header: string,
  remoteAddress: string,
) => { readonly header: string; readonly body: string } | undefined;

export interface AnswerOptions {
  /** The node on which this process runs: it is told to who asks. A stranger gets a plain answer. */
  readonly nodeName?: string | undefined;
  /** What answers the headers that a `GET /hello` may carry, by their names. */
  readonly carried?: Readonly<Record<string, AnswerPiggyback>>;
}

/**
 * Answers like `answerHello`, but a `GET /hello` that carries something also gets what belongs to it: what
 * agents tell each other, or the results of an endpoint.
 */
export function createAnswer(options: AnswerOptions): (request: RemoteRequest) => Answer {
  const { nodeName, carried = {} } = options;
  const answerers = Object.entries(carried);
  return (request) => {
    const plain = answerHello(request);
    if (plain.status !== 200) return plain;
    const asksNode = nodeName !== undefined && request.headers.has(nodeHeader);
    const told = asksNode ? { [nodeHeader]: nodeName } : {};
    for (const [name, answerPiggyback] of answerers) {
      const value = request.headers.get(name);
      if (value === undefined || request.method !== 'GET') continue;
      const answer = answerPiggyback(value, request.remoteAddress);
      if (!answer) continue;
      const { header, body } = answer;
      return { status: 200, headers: { ...told, [name]: header }, body: Buffer.from(body) };
    }
    return asksNode ? { ...plain, headers: told } : plain;
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
    `Date: ${dateText()}\r\nConnection: close\r\n\r\n`
  );
}

let [dateSecond, date] = [-Infinity, ''];

/** The time in seconds, as the header has it: written once a second. */
function dateText(): string {
  const nowMs = Date.now();
  const second = Math.floor(nowMs / 1000);
  if (second !== dateSecond) [dateSecond, date] = [second, new Date(nowMs).toUTCString()];
  return date;
}

/** The answer to anything that is no request or that takes too long. */
export function formatRefusal(status: 400 | 408 | 431): string {
  return `HTTP/1.1 ${status} ${reasons[status]}\r\nConnection: close\r\n\r\n`;
}
