import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { Hono } from 'hono';
import { describe, expect, test, vi } from 'vitest';
import { EventLog } from '../../../../../agent/reports/event-log.js';
import { createHttpServer } from '../../../../../agent/serving/http-server.js';
import { onError } from '../../../../../api/routes/responses.js';
import { createV1Routes, type V1Options } from '../../../../../api/routes/v1/router.js';
import { streamEventSchema } from '../../../../../api/schema/v1/events.js';
import { MemoryV1Source, pathChange } from '../../../../doubles/v1-source.js';
import { listenForTest } from '../../../../resources/test-server.js';

/** Starts a real server of `/v1` on loopback. */
async function serve(events: EventLog, options: V1Options = {}) {
  const app = new Hono().route('/', createV1Routes(new MemoryV1Source([], events), options));
  app.onError(onError);
  const server = createHttpServer(app);
  const port = await listenForTest(server);
  const open = async (path: string, headers: Record<string, string> = {}) => {
    const asked = request({ port, host: '127.0.0.1', path, agent: false, headers });
    asked.on('error', () => undefined);
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.setEncoding('utf8').on('error', () => undefined);
    return answer;
  };
  return { server, open };
}

function logOf(count: number, capacity?: number): EventLog {
  const log = new EventLog(capacity === undefined ? {} : { capacity });
  for (let index = 1; index <= count; index++) log.add(pathChange(`c/n${index}`));
  return log;
}

/** Collects the text of an answer. `has` waits for a part of the text, `end` for its end. */
function reading(answer: IncomingMessage) {
  let text = '';
  answer.on('data', (chunk: string) => (text += chunk));
  const ended = new Promise((resolve) => answer.once('close', resolve));
  return {
    text: () => text,
    has: (part: string | RegExp) => vi.waitFor(() => expect(text).toMatch(part), 10_000),
    end: async () => {
      await ended;
      return text;
    },
  };
}

const ndjson = { accept: 'application/x-ndjson' };
const idsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => streamEventSchema.parse(JSON.parse(line)))
    .map((event) => ('id' in event ? event.id : event.type));

describe('GET /v1/events', () => {
  test('with types has those alone, however many others lie between', async () => {
    const log = new EventLog();
    const listed = { type: 'list', at: 't', nodes: 3, added: 1, removed: 0 } as const;
    const others = (): void => {
      for (let index = 0; index < 600; index++) log.add(pathChange('c/n1'));
    };
    others();
    log.add(listed);
    others();
    const { open } = await serve(log);
    const kept = await open('/v1/events?after=0&follow=false&type=list,change', ndjson);
    expect(idsOf(await reading(kept).end())).toEqual([601]);
    const body = reading(await open('/v1/events?after=601&type=list', ndjson));
    others();
    log.add(listed);
    await body.has('list');
    expect(idsOf(body.text())).toEqual([1802]);
  });

  test('is a stream of server-sent events with id, event and data', async () => {
    const log = logOf(1);
    const { open } = await serve(log);
    const answer = await open('/v1/events?after=0');
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect(answer.headers['cache-control']).toBe('no-store');
    const body = reading(answer);
    await body.has('c/n1');
    log.add({ type: 'list', at: 't', nodes: 3, added: 1, removed: 0 });
    await body.has('event: list');
    const [retry, first, second] = body.text().split('\n\n');
    expect(retry).toBe('retry: 2000');
    expect(first).toMatch(/^id: 1\nevent: path\ndata: \{"id":1,.*\}$/);
    expect(second).toBe(
      'id: 2\nevent: list\ndata: {"id":2,"type":"list","at":"t","nodes":3,"added":1,"removed":0}',
    );
  });

  test('is one JSON object per line if NDJSON is accepted', async () => {
    const { open } = await serve(logOf(3));
    const answer = await open('/v1/events?after=1&follow=false', ndjson);
    expect(answer.headers['content-type']).toBe('application/x-ndjson');
    expect(idsOf(await reading(answer).end())).toEqual([2, 3]);
  });

  test('starts with the next new event if there is no id', async () => {
    const log = logOf(3);
    const { open } = await serve(log);
    const body = reading(await open('/v1/events', ndjson));
    log.add(pathChange('c/new'));
    await body.has('c/new');
    expect(idsOf(body.text())).toEqual([4]);
  });

  test('resumes after the id of the header rather than of the query, for browsers that reconnect', async () => {
    const { open } = await serve(logOf(5));
    const headers = { ...ndjson, 'last-event-id': '3' };
    const answer = await open('/v1/events?after=1&follow=false', headers);
    expect(idsOf(await reading(answer).end())).toEqual([4, 5]);
  });

  test.each([0, 2, 900])('begins with a gap if events after %i are gone', async (after) => {
    const { open } = await serve(logOf(10, 4));
    const answer = await open(`/v1/events?after=${after}&follow=false`, ndjson);
    expect(idsOf(await reading(answer).end())).toEqual(['gap', 7, 8, 9, 10]);
  });

  test('gives all kept events in order to many readers at once', async () => {
    const log = logOf(5000);
    const { open } = await serve(log);
    const bodies = await Promise.all(
      Array.from({ length: 20 }, async () =>
        reading(await open('/v1/events?after=0&follow=false', ndjson)).end(),
      ),
    );
    const expected = Array.from({ length: 5000 }, (_, at) => at + 1);
    for (const body of bodies) expect(idsOf(body)).toEqual(expected);
  });

  test.each([
    ['a comment', '', {}, /^retry: 2000\n\n(: keep-alive\n\n){2}/],
    ['an empty line where that is asked for', '?keepAlive=true', ndjson, /^\n\n/],
  ])('shows with %s that the agent is alive', async (_, query, headers, pattern) => {
    const { open } = await serve(new EventLog(), { eventTimings: { keepAliveMs: 10 } });
    await reading(await open(`/v1/events${query}`, headers)).has(pattern);
  });

  test('answers at once, and with lines of events alone, where nothing else is asked for', async () => {
    const log = new EventLog();
    const { open } = await serve(log, { eventTimings: { keepAliveMs: 1 } });
    const lines = reading(await open('/v1/events', ndjson));
    const sign = reading(await open('/v1/events?keepAlive=true', ndjson));
    await sign.has(/^\n{20}/);
    log.add(pathChange('c/n1'));
    log.end();
    expect(idsOf(await lines.end())).toEqual([1]);
    expect(await lines.end()).not.toMatch(/^\n|\n\n/);
  });

  test('ends after the kept events when the agent stops', async () => {
    const log = logOf(600);
    const { open } = await serve(log);
    const body = reading(await open('/v1/events?after=0', ndjson));
    await body.has('c/n600');
    log.add(pathChange('c/last'));
    log.end();
    expect(idsOf(await body.end()).at(-1)).toBe(601);
  });

  test('has a bounded number of readers, and room again when one leaves', async () => {
    const { open } = await serve(new EventLog(), { maxEventReaders: 1 });
    const first = await open('/v1/events');
    const refused = await open('/v1/events');
    expect(refused.statusCode).toBe(503);
    expect(await reading(refused).end()).toContain('expected at most 1');
    first.destroy();
    await vi.waitFor(async () => {
      const answer = await open('/v1/events');
      answer.destroy();
      expect(answer.statusCode).toBe(200);
    }, 20_000);
  });

  test('starts no reader for HEAD', async () => {
    const log = new EventLog();
    const subscribe = vi.spyOn(log, 'subscribe');
    const app = createV1Routes(new MemoryV1Source([], log), { maxEventReaders: 0 });
    expect((await app.request('/v1/events', { method: 'HEAD' })).status).toBe(200);
    expect(subscribe).not.toHaveBeenCalled();
  });
});

describe('a reader of events that does not keep up', () => {
  test('is cut with its last id if its next event is no longer kept', async () => {
    const log = logOf(1, 4);
    const app = createV1Routes(new MemoryV1Source([], log));
    const answer = await app.request('/v1/events?after=0', { headers: ndjson });
    const reader = answer.body?.getReader();
    const read = async () => Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(idsOf(await read())).toEqual([1]);
    for (let index = 0; index < 6; index++) log.add(pathChange('c/n'));
    expect(await read()).toBe('{"type":"cut","lastId":1}\n');
    expect((await reader?.read())?.done).toBe(true);
  });

  test('is cut if it takes nothing, and holds one chunk until then', async () => {
    const long = 'x'.repeat(10_000);
    const log = new EventLog();
    let reads = 0;
    const after = log.after.bind(log);
    log.after = (id, limit) => {
      reads++;
      return after(id, limit);
    };
    for (let index = 0; index < 5000; index++) log.add({ ...pathChange('c/n'), failure: long });
    const { open, server } = await serve(log, { eventTimings: { stallMs: 200 } });
    const closed = new Promise((resolve) =>
      server.once('connection', (socket) => socket.once('close', resolve)),
    );
    const answer = await open('/v1/events?after=0', ndjson);
    answer.pause();
    await closed;
    // The log keeps 50 MB. The server took only what the kernel's buffers and one chunk can hold.
    expect(reads).toBeLessThan(10);
  });

  test('is forgotten when it leaves', async () => {
    const log = new EventLog();
    let listeners = 0;
    const subscribe = log.subscribe.bind(log);
    log.subscribe = (listener) => {
      listeners++;
      const unsubscribe = subscribe(listener);
      return () => {
        listeners--;
        unsubscribe();
      };
    };
    const { open } = await serve(log);
    const answers = await Promise.all([1, 2, 3].map(() => open('/v1/events')));
    expect(listeners).toBe(3);
    for (const answer of answers) answer.destroy();
    await vi.waitFor(() => expect(listeners).toBe(0), 20_000);
  });
});
