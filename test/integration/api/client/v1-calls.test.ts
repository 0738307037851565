import { once } from 'node:events';
import { createServer } from 'node:net';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { EventLog } from '../../../../agent/reports/event-log.js';
import { createHttpServer } from '../../../../agent/serving/http-server.js';
import { createClient } from '../../../../api/client/client.js';
import type { ReceivedEvent } from '../../../../api/client/events.js';
import { onError, onNotFound } from '../../../../api/routes/responses.js';
import { createV1Routes } from '../../../../api/routes/v1/router.js';
import { endpointPlaneFinding, MemoryV1Source, pathChange } from '../../../doubles/v1-source.js';
import { closeServer } from '../../../resources/listen.js';
import { listenForTest } from '../../../resources/test-server.js';

async function serve(source: MemoryV1Source | undefined, at = 0) {
  const app = new Hono();
  if (source) app.route('/', createV1Routes(source, { eventTimings: { batchMs: 1 } }));
  app.onError(onError).notFound(onNotFound);
  const server = createHttpServer(app);
  return { server, port: await listenForTest(server, at) };
}

const clientOf = (port: number, signal = new AbortController().signal, timeoutMs = 5000) =>
  createClient({ address: { kind: 'tcp', host: '127.0.0.1', port }, timeoutMs, signal });

const names = ['c/n1', 'c/n2', 'c/n3'];

describe('the calls of /v1', () => {
  test("return the agent's answers", async () => {
    const source = new MemoryV1Source(names);
    source.open = [endpointPlaneFinding()];
    const client = clientOf((await serve(source)).port);
    expect(await client.summary()).toEqual(source.summary());
    expect(await client.findings()).toEqual(source.findings());
    expect((await client.zoneMatrix({ plane: 'endpoint' })).plane).toBe('endpoint');
    expect((await client.nodeMatrix({ nodes: ['c/n1', 'c/n3'] })).rows).toEqual(['c/n1', 'c/n3']);
    expect(await client.node('c/n2')).toEqual(source.node('c/n2'));
    const first = await client.nodes({ limit: 2 });
    const second = await client.nodes({ limit: 2, cursor: first.nextCursor ?? '' });
    expect([...first.nodes, ...second.nodes].map(({ name }) => name)).toEqual(names);
  });

  test('name the route that an agent does not have', async () => {
    const client = clientOf((await serve(undefined)).port);
    const words = (route: string) => `does not serve ${route}: its agent is older or another one`;
    await expect(client.summary()).rejects.toThrow(words('/v1/summary'));
    await expect(client.nodes({ limit: 1 })).rejects.toThrow(words('/v1/nodes'));
    await expect(client.events().next()).rejects.toThrow(words('/v1/events'));
    await expect(client.throughputTests()).rejects.toThrow(words('/v1/throughput'));
  });

  test("pass on the agent's errors for an unknown node and an invalid query", async () => {
    const client = clientOf((await serve(new MemoryV1Source(names))).port);
    await expect(client.node('c/n9')).rejects.toMatchObject({
      serverMessage: 'there is no node c/n9',
    });
    await expect(client.nodes({ limit: 0 })).rejects.toMatchObject({ statusCode: 400 });
  });

  test('refuse a matrix that does not have a byte for each cell', async () => {
    const source = new MemoryV1Source(names);
    const whole = source.matrix.bind(source);
    source.matrix = (query) => ({ ...whole(query), states: 'AAAA' });
    const client = clientOf((await serve(source)).port);
    await expect(client.nodeMatrix()).rejects.toMatchObject({ kind: 'invalid-response' });
  });
});

/** Takes the next events. Leaving the loop closes the connection. */
async function take(events: AsyncGenerator<ReceivedEvent>, count: number) {
  const taken: (number | string)[] = [];
  for await (const { event } of events) {
    taken.push(event && 'id' in event ? (event.id as number) : (event?.type ?? 'unknown'));
    if (taken.length === count) break;
  }
  return taken;
}

describe('the events of a client', () => {
  test('come as they happen, and the connection ends with the loop', async () => {
    const source = new MemoryV1Source();
    const { server, port } = await serve(source);
    const closed = new Promise((resolve) =>
      server.once('connection', (socket) => socket.once('close', resolve)),
    );
    source.events.add(pathChange('c/n1'));
    const taken = take(clientOf(port).events({ after: 0 }), 2);
    source.events.add(pathChange('c/n2'));
    expect(await taken).toEqual([1, 2]);
    await closed;
  });

  test('end after the kept events if they are not followed', async () => {
    const source = new MemoryV1Source();
    for (const name of names) source.events.add(pathChange(name));
    const { port } = await serve(source);
    expect(await take(clientOf(port).events({ after: 1, follow: false }), 9)).toEqual([2, 3]);
  });

  test('resume after the last id when the connection is lost', async () => {
    const source = new MemoryV1Source();
    const { server, port } = await serve(source);
    const reasons: string[] = [];
    const events = clientOf(port).events({
      after: 0,
      timings: { minRetryMs: 1 },
      onReconnect: (reason) => {
        reasons.push(reason);
        source.events.add(pathChange('c/n2'));
      },
    });
    source.events.add(pathChange('c/n1'));
    expect((await events.next()).value?.event).toMatchObject({ id: 1 });
    server.closeAllConnections();
    expect(await take(events, 1)).toEqual([2]);
    expect(reasons).toEqual([`the connection to tcp://127.0.0.1:${port} was lost`]);
  });

  test('say once that the connection is lost, however often it takes to have another', async () => {
    const source = new MemoryV1Source();
    const { server, port } = await serve(source);
    const reasons: string[] = [];
    const events = clientOf(port).events({
      after: 0,
      timings: { minRetryMs: 1 },
      onReconnect: (reason) => reasons.push(reason),
    });
    source.events.add(pathChange('c/n1'));
    expect((await events.next()).value?.event).toMatchObject({ id: 1 });
    const next = events.next();
    await closeServer(server);
    const refusing = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
    for (let tries = 0; tries < 3; tries++) await once(refusing, 'connection');
    refusing.close();
    await once(refusing, 'close');
    source.events.add(pathChange('c/n2'));
    await serve(source, port);
    expect((await next).value?.event).toMatchObject({ id: 2 });
    expect(reasons).toHaveLength(1);
  });

  test('have a gap event if the agent was restarted in between', async () => {
    const source = new MemoryV1Source([], new EventLog({ firstId: 100 }));
    const { server, port } = await serve(source);
    source.events.add(pathChange('c/n1'));
    const events = clientOf(port).events({ after: 0, timings: { minRetryMs: 1, maxRetryMs: 20 } });
    await events.next();
    const rest = take(events, 2);
    await closeServer(server);
    const second = new MemoryV1Source([], new EventLog({ firstId: 2000 }));
    second.events.add(pathChange('c/n1'));
    await serve(second, port);
    expect(await rest).toEqual(['gap', 2000]);
  });

  test('hold a type of a newer agent as JSON only', async () => {
    const source = new MemoryV1Source();
    const { port } = await serve(source);
    source.events.add({ type: 'weather', at: 't' } as never);
    const events = clientOf(port).events({ after: 0, follow: false });
    expect((await events.next()).value).toEqual({
      json: '{"id":1,"type":"weather","at":"t"}',
      event: undefined,
    });
  });

  test.each(['not JSON\n', `"${'x'.repeat(2_000_000)}`])(
    'are refused if a line is not an event: %.10s',
    async (body) => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${body}`);
      });
      const port = await listenForTest(server);
      await expect(clientOf(port).events().next()).rejects.toMatchObject({
        kind: 'invalid-response',
      });
    },
  );

  test('end when they are cancelled, while they wait and while they connect', async () => {
    const { port } = await serve(new MemoryV1Source());
    const stopping = new AbortController();
    const waiting = clientOf(port, stopping.signal).events().next();
    setImmediate(() => stopping.abort());
    await expect(waiting).rejects.toMatchObject({ kind: 'cancelled' });
    const late = clientOf(port, stopping.signal).events().next();
    await expect(late).rejects.toMatchObject({ kind: 'cancelled' });
  });

  test('fail if the first connection fails', async () => {
    const { server, port } = await serve(new MemoryV1Source());
    server.close();
    await once(server, 'close');
    await expect(clientOf(port).events().next()).rejects.toMatchObject({ kind: 'refused-port' });
  });
});
