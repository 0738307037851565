import type { Socket } from 'node:net';
import { nodeHeader, paddingHeader } from '../../model/hello-headers.js';
import { maxPaddingBytes, type Request } from './request-head.js';

/** What the responder answers to a request. */
export interface Answer {
  readonly status: 101 | 200 | 403 | 404;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** With status 101: takes the connection, which is no longer of HTTP then. */
  readonly takeOver?: (socket: Socket) => void;
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
  readonly upgrade?: Upgrade | undefined;
}

/** A protocol other than HTTP that a connection may ask for (RFC 9110, section 7.8). */
export interface Upgrade {
  readonly path: string;
  readonly protocol: string;
  /** What the request and its answer carry. */
  readonly headerName: string;
  /** Answers a request. Where the answer takes no connection over, the request is refused with 403. */
  answer(header: string, remoteAddress: string): Taken;
}

interface Taken {
  readonly header: string;
  readonly takeOver?: (socket: Socket) => void;
}

/**
 * Answers like `answerHello`, but a `GET /hello` that carries something also gets what belongs to it: what
 * agents tell each other, or the results of an endpoint. Where there is another protocol, it is answered too.
 */
export function createAnswer(options: AnswerOptions): (request: RemoteRequest) => Answer {
  const { nodeName, carried = {}, upgrade } = options;
  const answerers = Object.entries(carried);
  return (request) => {
    if (upgrade && isFor(upgrade, request)) return answerUpgrade(upgrade, request);
    const plain = answerHello(request);
    if (plain.status !== 200) return plain;
    const asksNode = nodeName !== undefined && request.headers.has(nodeHeader);
    const ofNode = asksNode ? { [nodeHeader]: nodeName } : {};
    for (const [name, answerPiggyback] of answerers) {
      const value = request.headers.get(name);
      if (value === undefined || request.method !== 'GET') continue;
      const answer = answerPiggyback(value, request.remoteAddress);
      if (!answer) continue;
      const { header, body } = answer;
      return { status: 200, headers: { ...ofNode, [name]: header }, body: Buffer.from(body) };
    }
    return asksNode ? { ...plain, headers: ofNode } : plain;
  };
}

function isFor({ path, protocol, headerName }: Upgrade, request: RemoteRequest): boolean {
  const { headers } = request;
  return (
    request.path === path &&
    request.method === 'GET' &&
    headers.get('upgrade') === protocol &&
    headers.has(headerName)
  );
}

function answerUpgrade(upgrade: Upgrade, { headers, remoteAddress }: RemoteRequest): Answer {
  const { protocol, headerName } = upgrade;
  const { header, takeOver } = upgrade.answer(headers.get(headerName) ?? '', remoteAddress);
  if (!takeOver) return { status: 403, headers: { [headerName]: header } };
  return { status: 101, headers: { upgrade: protocol, [headerName]: header }, takeOver };
}

const reasons = {
  101: 'Switching Protocols',
  200: 'OK',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
} as const;

/** The head of an answer as it goes over the wire. Every answer of HTTP is the last of its connection. */
export function formatAnswerHead({ status, headers = {}, body }: Answer): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (status === 101) {
    return `HTTP/1.1 101 ${reasons[101]}\r\n${fields.join('')}Connection: Upgrade\r\n\r\n`;
  }
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
