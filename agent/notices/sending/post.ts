import { Agent, errors, ProxyAgent, type Dispatcher } from 'undici';
import { codeOf, messageOf } from '../../platform/errors.js';
import { escapeControls } from '../../platform/format-value.js';
import { chooseProxy } from '../../platform/proxy-choice.js';
import { unlessAborted } from '../../platform/unless-aborted.js';
import { maskSecrets, shortPieceLength } from './mask-secrets.js';

/** What is sent to a receiver. */
export interface PostRequest {
  readonly url: URL;
  /** Names and values in turns. */
  readonly headers: readonly string[];
  readonly body: string;
  /** Who signs the certificate; undefined: those that Node knows. */
  readonly ca: string | undefined;
}

interface Post extends PostRequest {
  /** Of these no piece is shown, whatever is answered. */
  readonly secrets: readonly string[];
}

/** What became of it. The text is for people, short, and has nothing of the request. */
export interface Delivery {
  readonly isTaken: boolean;
  /** `200`, `503: no backend`, `connection refused`. */
  readonly answer: string;
}

/** One deadline for the whole of it. */
export const deadlineMs = 10_000;

/** So much of an answer that refuses is read. */
const maxAnswerBytes = 1024;
const maxAnswerLength = 160;

/**
 * Sends one POST. Any 2xx is taken, and the body of such an answer is not read; a redirect is not followed. It goes
 * through the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name, as on the way to an API server. It never rejects.
 * @param signal ends it
 */
export async function post(
  { url, headers, body, ca, secrets }: Post,
  signal: AbortSignal,
  limitMs = deadlineMs,
): Promise<Delivery> {
  const deadline = AbortSignal.timeout(limitMs);
  let agent: Dispatcher | undefined;
  let status: number | undefined;
  try {
    agent = dispatcherFor(url, ca, limitMs);
    const ended = AbortSignal.any([signal, deadline]);
    const answer = agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: [...headers],
      body,
      signal: ended,
    });
    // undici heeds no signal until the proxy has opened the way to the receiver.
    const answered = await unlessAborted(answer, ended);
    status = answered.statusCode;
    return await deliveryOf(answered, secrets);
  } catch (error) {
    if (signal.aborted) return failed('the agent stops');
    // What a proxy should be is said without a password that it has.
    if (!agent) return failed(messageOf(error));
    if (deadline.aborted) {
      const what = status === undefined ? 'no answer' : `${status}, and no end of its text`;
      return failed(`${what} within ${limitMs / 1000} s`);
    }
    return failed(maskSecrets(reasonOf(error), secrets));
  } finally {
    // A connection is not kept: the next message is rarely soon.
    agent?.destroy().catch(() => undefined);
  }
}

/** @throws Error where the proxy is no URL that can be used */
function dispatcherFor(url: URL, ca: string | undefined, limitMs: number): Dispatcher {
  const tls = ca === undefined ? {} : { ca };
  const options = {
    connect: { ...tls, timeout: limitMs },
    headersTimeout: 2 * limitMs,
    bodyTimeout: 2 * limitMs,
    pipelining: 0,
  };
  const proxy = chooseProxy(url, '', process.env);
  if (!proxy) return new Agent(options);
  // Either way the proxy asks for the name.
  const uri = proxy.href.replace(/^socks5h:/, 'socks5:');
  return new ProxyAgent({ ...options, uri, ...(ca !== undefined && { requestTls: tls }) });
}

async function deliveryOf(
  { statusCode, body }: Dispatcher.ResponseData,
  secrets: readonly string[],
): Promise<Delivery> {
  // Its errors after this have no other receiver.
  body.on('error', () => undefined);
  if (statusCode >= 200 && statusCode < 300) {
    body.destroy();
    return { isTaken: true, answer: String(statusCode) };
  }
  if (statusCode >= 300 && statusCode < 400) {
    body.destroy();
    return failed(`${statusCode}: a redirect is not followed`);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxAnswerBytes) break;
  }
  const text = Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString('utf8');
  const said = maskSecrets(text.replace(/\s+/g, ' '), secrets);
  // The rest may end with the beginning of a secret.
  const read = bytes < maxAnswerBytes ? said : said.slice(0, -shortPieceLength);
  const words = escapeControls(read.trim(), maxAnswerLength);
  return failed(words === '' ? String(statusCode) : `${statusCode}: ${words}`);
}

function failed(answer: string): Delivery {
  return { isTaken: false, answer };
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'the name of its host is not known',
  EAI_AGAIN: 'the name of its host could not be asked for',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'no route to its host',
  ENETUNREACH: 'no route to its network',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the connection was closed before an answer came',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself (see ca)',
  SELF_SIGNED_CERT_IN_CHAIN: 'nobody who is trusted signed its certificate (see ca)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'nobody who is trusted signed its certificate (see ca)',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'nobody who is trusted signed its certificate (see ca)',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is of another name',
};

/** Messages of the system and of undici have addresses in them, and those of parsers what came. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.HTTPParserError) return 'the answer is not HTTP';
  const code = codeOf(error);
  if (code !== undefined) return words[code] ?? `it failed (${code})`;
  return error instanceof errors.UndiciError ? error.name : messageOf(error).slice(0, 80);
}
