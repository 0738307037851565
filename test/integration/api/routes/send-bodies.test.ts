import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttpServer, stopHttpServer } from '../../../../agent/serving/http-server.js';
import { createJsonApi } from '../../../../api/routes/json-api.js';
import { createMetricsApi } from '../../../../api/routes/metrics.js';
import { sendBodies } from '../../../../api/routes/send-bodies.js';
import { at, MemoryV1Source } from '../../../doubles/v1-source.js';
import { encodeMatrixBytes, rttToByte } from '../../../../api/schema/v1/matrix-bytes.js';
import { Random } from '../../../fuzz/random.js';
import { listen } from '../../../resources/listen.js';

const status = Uint8Array.from(Buffer.from(JSON.stringify({ nodes: Array(200).fill('c/n1') })));
const matrix = nodeMatrix(1000);
const page = 'https://grafana.example.com';

/** A matrix without failures and with random round trips, which compresses badly. */
function nodeMatrix(nodes: number) {
  const random = new Random(1);
  const names = Array.from({ length: nodes }, (_, index) => `c/n${index}`);
  const states = new Uint8Array(nodes ** 2).fill(2);
  const rtts = states.map(() => rttToByte(random.below(400_000) + 1000));
  const ages = names.map(() => 3.2);
  const stale = names.map(() => false);
  return { at, rows: names, columns: names, ages, stale, ...encodeMatrixBytes({ states, rtts }) };
}

let server: Server;
let port: number;
beforeAll(async () => {
  const v1 = Object.assign(new MemoryV1Source(), { matrix: () => matrix });
  const source = {
    status: () => ({ body: status, etag: '"run.1"' }),
    history: () => undefined,
    v1,
  };
  const metrics = {
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    render: () => 'meshprobe_ready 1\n'.repeat(100),
  };
  server = createHttpServer(createJsonApi(source, { metrics, corsOrigins: [page] }));
  port = await listen(server);
});
afterAll(() => stopHttpServer(server));

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

async function ask(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> {
  const asked = request({ port, path, method, headers }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}

describe('an answer of the API', () => {
  test.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['zstd, gzip', 'gzip'],
  ])('to Accept-Encoding: %s is compressed by %s', async (accepted, encoding) => {
    const { headers, body } = await ask('/v1beta/status', { 'accept-encoding': accepted });
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(body.length),
      'content-type': 'application/json',
      etag: 'W/"run.1"',
    });
    expect(body.length).toBeLessThan(status.length);
    const plain = encoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body);
    expect(plain.equals(status)).toBe(true);
  });

  test.each([
    '',
    'identity',
    'deflate',
    'gzip;q=0',
    '*;q=0',
    'xgzip',
    'gzip;q=x;q=0',
    ';;;,,,"',
    `${'gzip;q=0,'.repeat(1000)}br;q=0`,
  ])('to Accept-Encoding: %.40j is not compressed', async (accepted) => {
    const { headers, body } = await ask('/v1beta/status', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.etag).toBe('"run.1"');
    expect(body.equals(status)).toBe(true);
  });

  test.each(['/v1beta/status', '/v1/summary', '/v1/matrix', '/metrics', '/openapi.json'])(
    'at %s always varies with Accept-Encoding',
    async (path) => {
      for (const accepted of ['gzip', 'identity']) {
        const { headers } = await ask(path, { 'accept-encoding': accepted });
        expect(headers.vary?.match(/accept-encoding/gi)).toHaveLength(1);
      }
    },
  );

  test('is not compressed if it is small', async () => {
    const { headers, body } = await ask('/v1/summary', { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['content-length']).toBe(String(body.length));
    expect(JSON.parse(body.toString())).toHaveProperty('verdict');
  });

  test.each(['/openapi.json', '/metrics'])('at %s is compressed too', async (path) => {
    const [plain, compressed] = [await ask(path), await ask(path, { 'accept-encoding': 'gzip' })];
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(compressed.body).equals(plain.body)).toBe(true);
  });

  test.each(['br', 'gzip'])(
    'with a matrix of 1,000 nodes shrinks to less than half by %s',
    async (encoding) => {
      const path = '/v1/matrix?by=node';
      const { headers, body } = await ask(path, { 'accept-encoding': encoding });
      expect(headers['content-encoding']).toBe(encoding);
      const plain = encoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body);
      expect(JSON.parse(plain.toString())).toMatchObject({ states: matrix.states });
      expect(body.length).toBeLessThan(plain.length / 2);
    },
  );

  test.each(['"run.1"', 'W/"run.1"', '*'])(
    'is 304 to a client that has %s, compressed or not, by GET and by HEAD',
    async (tag) => {
      for (const method of ['GET', 'HEAD']) {
        const headers = { 'if-none-match': tag, 'accept-encoding': 'br' };
        const answer = await ask('/v1beta/status', headers, method);
        expect([answer.status, answer.body.length]).toEqual([304, 0]);
        expect(answer.headers).toMatchObject({
          etag: 'W/"run.1"',
          vary: 'Origin, Accept-Encoding',
        });
      }
    },
  );

  test.each(['/v1beta/status', '/v1/matrix?by=node', '/metrics'])(
    'to HEAD %s has the headers of GET and no body',
    async (path) => {
      const [head, get] = [
        await ask(path, { 'accept-encoding': 'gzip' }, 'HEAD'),
        await ask(path, { 'accept-encoding': 'gzip' }),
      ];
      expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
      expect([head.status, head.body.length]).toEqual([200, 0]);
    },
  );

  test('carries the headers for a page of an allowed origin', async () => {
    for (const accepted of ['gzip', 'identity']) {
      const { headers } = await ask('/v1beta/status', {
        origin: page,
        'accept-encoding': accepted,
      });
      expect(headers).toMatchObject({
        'access-control-allow-origin': page,
        vary: 'Origin, Accept-Encoding',
      });
    }
  });

  test('that is a stream of events is never compressed', async () => {
    for (const accept of ['text/event-stream', 'application/x-ndjson']) {
      const { headers } = await ask('/v1/events?after=0&follow=false', {
        accept,
        'accept-encoding': 'gzip, br',
      });
      expect(headers['content-type']).toBe(accept);
      expect(headers['content-encoding']).toBeUndefined();
    }
  });

  test('is not compressed while two others are being compressed', async () => {
    const text = JSON.stringify(Array(100_000).fill('c/n1'));
    const app = new Hono().use(sendBodies());
    app.get('/', (context) => context.body(text, 200, { 'content-type': 'application/json' }));
    const headers = { 'accept-encoding': 'gzip' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => app.request('/', { headers })),
    );
    const encodings = answers.map((answer) => answer.headers.get('content-encoding'));
    expect(encodings.filter((encoding) => encoding === 'gzip')).toHaveLength(2);
    for (const [index, answer] of answers.entries()) {
      const body = Buffer.from(await answer.arrayBuffer());
      expect((encodings[index] === null ? body : gunzipSync(body)).toString()).toBe(text);
    }
    expect((await app.request('/', { headers })).headers.get('content-encoding')).toBe('gzip');
  });

  test('of a route that fails is compressed like any other', async () => {
    const app = new Hono().onError((error, context) => context.json(error.message, 500));
    app.use(sendBodies()).get('/', () => {
      throw new Error('no '.repeat(1000));
    });
    const answer = await app.request('/', { headers: { 'accept-encoding': 'gzip' } });
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([500, 'gzip']);
  });

  test('is compressed on the listener for metrics too', async () => {
    const render = () => 'meshprobe_ready 1\n'.repeat(100);
    const app = createMetricsApi({ contentType: 'text/plain; version=0.0.4', render });
    const answer = await app.request('/metrics', { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(await answer.arrayBuffer()).toString()).toBe(render());
  });
});
