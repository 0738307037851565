import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/utils/compress';

type Body = Uint8Array<ArrayBuffer>;

/** A smaller body fits into one packet without compression. */
const minBytes = 1024;

/**
 * The most bodies that are compressed at once. Others are sent uncompressed. Clients that do not
 * read then hold a bounded amount of memory, and probing keeps its core.
 */
const maxAtOnce = 2;

/** At these levels 2.7 MB of a node matrix take about 40 ms of a thread and shrink to 25 %. */
const encoders = {
  br: (body: Body) =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 3,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body: Body) => promisify(gzip)(body, { level: 4 }),
};

type Encoding = keyof typeof encoders;
const encodings: readonly Encoding[] = ['br', 'gzip'];

const shared = new WeakMap<Context, Body>();

/**
 * Answers with a body that many requests share. It needs `sendBodies()` around the route. A plain
 * Response would copy the body for each request, and it can have megabytes.
 */
export function sharedBody(
  context: Context,
  body: Body,
  headers: Record<string, string>,
): Response {
  shared.set(context, body);
  return context.body(null, 200, headers);
}

/**
 * Sends what the routes answer, compressed if the client accepts it. Event streams are not changed.
 * The body is compressed as a whole, not as a stream. The server then knows its length, and how
 * much memory a client that does not read holds.
 */
export function sendBodies(): MiddlewareHandler {
  let atOnce = 0;
  const compress = async (body: Body, encoding: Encoding): Promise<Body | undefined> => {
    if (body.length < minBytes || atOnce >= maxAtOnce) return undefined;
    atOnce++;
    try {
      return new Uint8Array(await encoders[encoding](body));
    } finally {
      atOnce--;
    }
  };
  return async (context, next) => {
    await next();
    const { res: response } = context;
    const { headers } = response;
    if (!COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get('content-type') ?? '')) return;
    headers.append('vary', 'Accept-Encoding');
    const encoding = acceptedEncoding(context.req.header('accept-encoding'));
    // A strong tag names one exact sequence of bytes (RFC 9110, 8.8.1). The compressed body needs a
    // weak one.
    const weaken = (): void => {
      const etag = headers.get('etag');
      if (etag?.startsWith('"')) headers.set('etag', `W/${etag}`);
    };
    if (response.status === 304 && encoding) weaken();
    const own = shared.get(context);
    if (!own && (!encoding || !response.body)) return;
    const body = own ?? new Uint8Array(await response.arrayBuffer());
    const compressed = encoding && (await compress(body, encoding));
    if (encoding && compressed) {
      headers.set('content-encoding', encoding);
      weaken();
    }
    send(context, compressed ?? body);
  };
}

/** Sends a body with the status and headers of the current response. */
function send(context: Context, body: Body): void {
  const { status, headers } = context.res;
  const { outgoing } = (context.env ?? {}) as Partial<HttpBindings>;
  let sent: Response = RESPONSE_ALREADY_SENT;
  if (outgoing) {
    // Node leaves the body out if the request is a HEAD.
    outgoing
      .writeHead(status, { ...Object.fromEntries(headers), 'content-length': body.length })
      .end(body);
  } else {
    sent = new Response(body, { status, headers });
  }
  // Without this, hono adds the headers of the previous response.
  context.res = undefined;
  context.res = sent;
}

/** The encoding that the client prefers; undefined if it accepts none. */
function acceptedEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined) return undefined;
  const accepted = parseAccept(header);
  const qualityOf = (name: string): number | undefined =>
    accepted.find(({ type }) => type.toLowerCase() === name)?.q;
  let best: Encoding | undefined;
  let bestQuality = 0;
  for (const encoding of encodings) {
    const quality = qualityOf(encoding) ?? qualityOf('*') ?? 0;
    if (quality <= bestQuality) continue;
    best = encoding;
    bestQuality = quality;
  }
  return best;
}
