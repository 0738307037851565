import { describe, expect, test } from 'vitest';
import { createJsonApi } from '../../../../api/routes/json-api.js';

const page = 'https://grafana.example.com';
const status = () => ({ body: Uint8Array.from(Buffer.from('{}')), etag: '"1"' });
const source = { status, history: () => undefined };

function ask(method: string, headers: Record<string, string>, corsOrigins: readonly string[]) {
  const app = createJsonApi(source, { corsOrigins, token: () => Promise.resolve('secret') });
  return app.request('/v1beta/status', { method, headers: { host: '127.0.0.1', ...headers } });
}

const bearer = { authorization: 'Bearer secret' };
const preflight = {
  origin: page,
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'authorization',
};

describe('the JSON API for pages of other origins', () => {
  test('answers a preflight request of an allowed origin without a token', async () => {
    const answer = await ask('OPTIONS', preflight, [page]);
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'GET,HEAD',
      'access-control-allow-headers': 'Authorization,If-None-Match,Last-Event-ID',
      'access-control-max-age': '600',
      vary: 'Origin, Access-Control-Request-Headers',
    });
  });

  test.each([
    'https://evil.example',
    'https://grafana.example.com.evil.example',
    'https://grafana.example.com:444',
    'http://grafana.example.com',
    'null',
    '*',
    '',
  ])('does not allow the origin %j', async (origin) => {
    for (const method of ['OPTIONS', 'GET']) {
      const answer = await ask(method, { ...preflight, ...bearer, origin }, [page]);
      expect(answer.headers.has('access-control-allow-origin')).toBe(false);
      expect(answer.headers.get('vary')).toContain('Origin');
    }
  });

  test('lets an allowed origin read the answer and its tag, and a refusal', async () => {
    const answer = await ask('GET', { origin: page, ...bearer }, [page, 'http://b.example']);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(page);
    expect(answer.headers.get('access-control-expose-headers')).toBe('ETag');
    const refusal = await ask('GET', { origin: page }, [page]);
    expect([refusal.status, refusal.headers.get('access-control-allow-origin')]).toEqual([
      401,
      page,
    ]);
  });

  test('answers an OPTIONS request without a preflight with the methods', async () => {
    const answer = await ask('OPTIONS', { origin: page, ...bearer }, [page]);
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  test('allows no origin by default', async () => {
    const answer = await ask('GET', { origin: page, ...bearer }, []);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-'))).toEqual([]);
  });

  test('checks the Host header before the origin', async () => {
    const answer = await ask('OPTIONS', { ...preflight, host: 'evil.example' }, [page]);
    expect([answer.status, answer.headers.has('access-control-allow-origin')]).toEqual([
      421,
      false,
    ]);
  });
});
