import { describe, expect, test } from 'vitest';
import { onError } from '../../../../../api/routes/responses.js';
import {
  createPathTestRoutes,
  maxAtOnce,
  type PathTestOptions,
  type PathTestSource,
} from '../../../../../api/routes/v1/path-tests.js';
import type { PathTestLine } from '../../../../../api/schema/v1/path-tests.js';

const end: PathTestLine = { type: 'end', isReached: false, triedTtl: 20 };
const ends: PathTestSource = () => ({ lines: lines(end) });

async function* lines(...all: readonly PathTestLine[]): AsyncGenerator<PathTestLine> {
  await Promise.resolve();
  yield* all;
}

/** A test that says one line and then nothing until it is stopped. */
const hangs: PathTestSource = (_, __, signal) => ({
  lines: (async function* () {
    yield end;
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
    });
  })(),
});

const serve = (source: PathTestSource, options?: PathTestOptions) =>
  createPathTestRoutes(source, options).onError(onError);
const post = (app: ReturnType<typeof serve>, body: string, path = '/v1/trace') =>
  app.request(path, { method: 'POST', body });
const request = JSON.stringify({ node: 'n1' });

describe('POST /v1/trace, /v1/mtu, /v1/flows', () => {
  test('sends what the test says, one JSON object a line', async () => {
    const asked: unknown[] = [];
    const app = serve((test, request) => {
      asked.push([test, request]);
      return { lines: lines({ type: 'error', text: 'a\nb' }, end) };
    });
    const answer = await post(app, '{"node":"c/n1","plane":"endpoint","protocol":"http"}');
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(await answer.text()).toBe(`{"type":"error","text":"a\\nb"}\n${JSON.stringify(end)}\n`);
    await post(app, request, '/v1/mtu');
    expect(asked).toEqual([
      ['trace', { node: 'c/n1', plane: 'endpoint', protocol: 'http' }],
      ['mtu', { node: 'n1', plane: 'host' }],
    ]);
  });

  test('refuses a body that is none, with what was expected', async () => {
    const bodies = [
      ['', 'expected a JSON object'],
      ['[]', 'the body: expected a value of type object, got []'],
      ['{}', 'node: expected a value of type string, got nothing'],
      ['{"node":""}', 'node: expected at least 1 character, got ""'],
      ['{"node":7}', 'node: expected a value of type string, got 7'],
      ['{"node":"n1","plane":"moon"}', 'plane: expected host, endpoint, got "moon"'],
      ['{"node":"n1","protocol":"udp"}', 'protocol: expected icmp, http, got "udp"'],
      [
        '{"node":"n1","address":"192.0.2.1"}',
        'unknown field "address", expected node, plane, protocol',
      ],
      [`{"node":"${'n'.repeat(2000)}"}`, 'node: expected at most 507 characters, got "nnn'],
    ] as const;
    for (const [body, message] of bodies) {
      const answer = await post(serve(ends), body);
      expect([body, answer.status]).toEqual([body, 400]);
      expect(await answer.json()).toContain(message);
    }
    const huge = await post(serve(ends), 'x'.repeat(5000));
    expect([huge.status, await huge.json()]).toEqual([
      413,
      'expected a body of at most 4096 bytes',
    ]);
    const told = { 'content-length': '5000' };
    const toldHuge = await serve(ends).request('/v1/trace', { method: 'POST', headers: told });
    expect(toldHuge.status).toBe(413);
    expect((await post(serve(ends), request, '/v1/trace?x=1')).status).toBe(400);
  });

  test('answers 405 to other methods, and 404 where there is no such node', async () => {
    const get = await serve(ends).request('/v1/flows');
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    const unknown = serve(() => ({ refused: 'unknown-node', text: 'there is no node c/n1' }));
    const answer = await post(unknown, request);
    expect([answer.status, await answer.json()]).toEqual([404, 'there is no node c/n1']);
  });

  test('makes four at once; a reader that goes stops its test and makes room', async () => {
    const app = serve(hangs);
    const answers = await Promise.all(
      Array.from({ length: maxAtOnce }, async () => post(app, request)),
    );
    const fifth = await post(app, request);
    expect([fifth.status, await fifth.json()]).toEqual([
      429,
      '4 tests are under way, expected at most 4; try again later',
    ]);
    const reader = answers[0]?.body?.getReader();
    await reader?.read();
    const waiting = reader?.read();
    await reader?.cancel();
    await waiting;
    expect((await post(app, request)).status).toBe(200);
  });

  test('cuts a test that takes too long, and says so', async () => {
    const answer = await post(serve(hangs, { timeoutMs: 20 }), request);
    expect(await answer.text()).toContain('"the test took longer than 0.02 s"');
  });

  test('says why a test failed, and makes room', async () => {
    const fails: PathTestSource = () => ({
      lines: (async function* () {
        yield await Promise.reject<PathTestLine>(new Error('out of sockets'));
      })(),
    });
    const app = serve(fails);
    for (let round = 0; round <= maxAtOnce; round++) {
      expect(await (await post(app, request)).text()).toContain('out of sockets');
    }
  });
});
