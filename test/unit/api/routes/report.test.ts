import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createReportRoute, type ReportPieces } from '../../../../api/routes/report.js';
import { onError } from '../../../../api/routes/responses.js';

const serve = (report: () => Promise<ReportPieces>) => createReportRoute(report).onError(onError);
const ask = (app: ReturnType<typeof serve>, method = 'GET') =>
  app.request('/v1/report', { method });

describe('GET /v1/report', () => {
  test('sends the pieces in their order, text and bytes', async () => {
    const bytes = new TextEncoder().encode('[3,"ä"]');
    const app = serve(() => Promise.resolve(['{"a":1,', '"b":', bytes, '}']));
    const answer = await ask(app);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({ a: 1, b: [3, 'ä'] });
  });

  test('makes a piece only when the reader takes it', async () => {
    let made = 0;
    const longPiece = 'x'.repeat(100_000);
    const pieces = function* () {
      for (;;) {
        made++;
        yield longPiece;
      }
    };
    const answer = await ask(serve(() => Promise.resolve(pieces())));
    const reader = answer.body?.getReader();
    for (let taken = 1; taken <= 3; taken++) {
      await reader?.read();
      expect(made).toBe(taken);
    }
    await reader?.cancel();
    expect(made).toBe(3);
  });

  test('gives everything else in the process its turn', async () => {
    let [isDone, turns] = [false, 0];
    const count = async () => {
      while (!isDone) {
        await setImmediate();
        turns++;
      }
    };
    const pieces = function* () {
      for (let piece = 0; piece < 100; piece++) {
        const endMs = performance.now() + 1;
        while (performance.now() < endMs);
        yield 'x';
      }
    };
    const counting = count();
    const answer = await ask(serve(() => Promise.resolve(pieces())));
    expect(await answer.text()).toBe('x'.repeat(100));
    isDone = true;
    await counting;
    expect(turns).toBeGreaterThan(20);
  });

  test('answers HEAD without making a report', async () => {
    let reports = 0;
    const app = serve(() => Promise.resolve([`${reports++}`]));
    const answer = await ask(app, 'HEAD');
    expect([answer.status, await answer.text(), reports]).toEqual([200, '', 0]);
  });

  test.each([
    ['POST', '', 405, /^method POST is not allowed here/],
    ['GET', '?x=1', 400, /^unknown parameter "x", expected no parameters/],
  ])('refuses %s /v1/report%s', async (method, query, code, words) => {
    const app = serve(() => Promise.resolve(['{}']));
    const answer = await app.request(`/v1/report${query}`, { method });
    expect([answer.status, await answer.json()]).toEqual([code, expect.stringMatching(words)]);
  });
});

describe('two reports at once', () => {
  const busy = '2 reports are being read, expected at most 2; try again later';

  test('are the most, until one is read or given up', async () => {
    const app = serve(() => Promise.resolve(['{}']));
    const [first, second] = [await ask(app), await ask(app)];
    const third = await ask(app);
    expect([third.status, await third.json()]).toEqual([503, busy]);
    await first.text();
    const fourth = await ask(app);
    expect(fourth.status).toBe(200);
    expect((await ask(app)).status).toBe(503);
    await second.body?.cancel();
    expect((await ask(app)).status).toBe(200);
  });

  test('are the most, until one fails', async () => {
    const unprepared = serve(() => Promise.reject(new Error('no snapshot')));
    for (let time = 0; time < 3; time++) {
      const answer = await ask(unprepared);
      expect([answer.status, await answer.json()]).toEqual([500, 'no snapshot']);
    }
    const pieces = function* () {
      yield '{';
      throw new Error('a bug');
    };
    const broken = serve(() => Promise.resolve(pieces()));
    for (let time = 0; time < 3; time++) {
      const answer = await ask(broken);
      expect(answer.status).toBe(200);
      await expect(answer.text()).rejects.toThrow('a bug');
    }
  });
});
