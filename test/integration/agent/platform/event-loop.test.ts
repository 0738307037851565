import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, test, vi } from 'vitest';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { monitorEventLoop, type EventLoop } from '../../../../agent/platform/event-loop.js';
import { systemClock } from '../../../../agent/platform/clock.js';
import { encodeDatagram } from '../../../../agent/model/udp-datagram.js';
import { createHttpServer, stopHttpServer } from '../../../../agent/serving/http-server.js';
import { startResponder } from '../../../../agent/serving/responder/responder.js';
import { startUdpEcho } from '../../../../agent/serving/responder/udp-echo.js';
import { runInSlices, runOnClock } from '../../../../agent/platform/time-slices.js';
import { listen } from '../../../resources/listen.js';

const eventLoop = monitorEventLoop();
afterAll(() => eventLoop.stop());

function stall(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

/** Works until this process has used so much processor time, however long that takes. */
function work(cpuMs: number): void {
  const before = process.cpuUsage();
  const used = (): number => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  while (used() < cpuMs);
}

/** Keeps this thread from running, without any work to do. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** The most that the process worked in one stall. What kept it from running is not its work. */
function mostWorkMs(of: EventLoop): number {
  return of.longestStallMs() - of.longestStarvationMs();
}

const nextBeat = () => new Promise((resolve) => setTimeout(resolve, 30));

test('notices a stall while it is still under way', () => {
  const watch = eventLoop.startMeasurement();
  stall(80);
  expect(watch.stalledMs()).toBeGreaterThan(50);
  expect(watch.isUnreliable(1e6)).toBe(true);
});

test('remembers a stall for what was measured meanwhile, and not for what came later', async () => {
  await nextBeat();
  const during = eventLoop.startMeasurement();
  stall(80);
  await nextBeat();
  const after = eventLoop.startMeasurement();
  expect(during.stalledMs()).toBeGreaterThan(50);
  expect(after.stalledMs()).toBeLessThan(during.stalledMs());
  expect(eventLoop.longestStallMs()).toBeGreaterThan(50);
});

test('counts only the part of a stall that fell into the measurement', () => {
  stall(150);
  const startedMs = performance.now();
  const watch = eventLoop.startMeasurement();
  stall(40);
  const stalledMs = watch.stalledMs();
  expect(stalledMs).toBeGreaterThan(30);
  expect(stalledMs).toBeLessThanOrEqual(performance.now() - startedMs);
});

test('gives the longest stall of only the last milliseconds on request', async () => {
  stall(120);
  await nextBeat();
  expect(eventLoop.longestStallMs(1000)).toBeGreaterThan(80);
  await vi.waitFor(() => expect(eventLoop.longestStallMs(100)).toBeLessThan(80), 20_000);
  expect(eventLoop.longestStallMs()).toBeGreaterThan(80);
});

test('tells long work of this process from not getting to run', async () => {
  await vi.waitFor(() => expect(eventLoop.longestStarvationMs(100)).toBeLessThan(100), 20_000);
  work(400);
  const [stalledMs, starvedMs] = [
    eventLoop.longestStallMs(100),
    eventLoop.longestStarvationMs(100),
  ];
  // Other threads of this process may have used some of the processor time.
  expect(stalledMs - starvedMs).toBeGreaterThan(250);
  expect(eventLoop.longestWorkMs(100)).toBeGreaterThan(250);
  await nextBeat();
  sleep(300);
  expect(eventLoop.longestStarvationMs(100)).toBeGreaterThan(250);
});

test('does not take the time in which the process got no processor for work', async () => {
  await vi.waitFor(() => expect(eventLoop.longestWorkMs(100)).toBeLessThan(100), 20_000);
  sleep(300);
  expect(eventLoop.longestStallMs(100)).toBeGreaterThan(250);
  expect(eventLoop.longestWorkMs(100)).toBeLessThan(150);
});

test('remembers the longest starvation of only the last milliseconds on request', async () => {
  sleep(300);
  await nextBeat();
  expect(eventLoop.longestStarvationMs(1000)).toBeGreaterThan(250);
  await vi.waitFor(() => expect(eventLoop.longestStarvationMs(100)).toBeLessThan(250), 20_000);
  expect(eventLoop.longestStarvationMs()).toBeGreaterThan(250);
});

test.skipIf(!existsSync('/proc/thread-self/schedstat'))(
  'counts short waits for a processor, none of which is a stall',
  async () => {
    const spin = 'for (;;);';
    const spinners = Array.from(
      { length: 2 * availableParallelism() },
      () => new Worker(spin, { eval: true }),
    );
    try {
      while (eventLoop.recentWaitMs() < 300) {
        stall(5);
        await new Promise(setImmediate);
      }
    } finally {
      await Promise.all(spinners.map((spinner) => spinner.terminate()));
    }
  },
  60_000,
);

test('many short turns of a process that starts are not one stall', async () => {
  const starting = monitorEventLoop();
  for (let turn = 0; turn < 100; turn++) {
    work(4);
    await nextTurn();
  }
  expect(mostWorkMs(starting)).toBeLessThan(200);
  starting.stop();
});

const inSlices = { runInSlices, runOnClock: runOnSystemClock };

test.each(Object.entries(inSlices))(
  'work in slices, by %s, is not one stall while nothing is measured',
  async (_, run) => {
    const resting = monitorEventLoop(0);
    await nextBeat();
    await run(
      (function* () {
        for (let step = 0; step < 100; step++) {
          work(4);
          yield;
        }
      })(),
    );
    expect(mostWorkMs(resting)).toBeLessThan(200);
    resting.stop();
  },
);

test('work on many ticks is not one stall while nothing is measured', async () => {
  const resting = monitorEventLoop(0);
  await nextBeat();
  for (let tick = 0; tick < 12; tick++) {
    await new Promise<void>((resolve) => systemClock.after(50, resolve));
    work(30);
  }
  expect(mostWorkMs(resting)).toBeLessThan(200);
  resting.stop();
});

const servers = {
  async responder(workMs = 4) {
    const responder = await startResponder({
      addresses: ['127.0.0.1'],
      port: 0,
      onFailure: (error) => expect.unreachable(error.message),
      answer: () => {
        work(workMs);
        return { status: 200 };
      },
    });
    const [{ port } = { port: 0 }] = responder.addresses;
    return { port, ask: () => get(port), stop: () => responder.stop() };
  },
  async 'HTTP server'() {
    const server = createHttpServer({
      fetch: () => {
        work(4);
        return new Response('');
      },
    });
    const port = await listen(server);
    return { ask: () => get(port), stop: () => stopHttpServer(server) };
  },
  async 'UDP echo'() {
    let nowMs = 0;
    const keys = { isKeyed: false, sign: () => undefined, accepts: () => true };
    const echo = await startUdpEcho({
      addresses: ['127.0.0.1'],
      port: 0,
      keys,
      isAllowed: () => {
        work(4);
        return true;
      },
      // It answers so many in a second: each is in a second of its own.
      nowMs: () => (nowMs += 1000),
      onFailure: (error) => expect.unreachable(error.message),
    });
    const [{ port } = { port: 0 }] = echo.addresses;
    const client = createSocket('udp4');
    const datagram = encodeDatagram(
      { type: 'request', session: '12345678', sequence: 1, counter: 0, epoch: 0 },
      keys,
    );
    return {
      async ask() {
        client.send(datagram, port, '127.0.0.1');
        await once(client, 'message');
      },
      async stop() {
        client.close();
        await echo.stop();
      },
    };
  },
};

test.each(Object.entries(servers))(
  'requests to the %s, one after the other, are not one stall while nothing is measured',
  async (_, start) => {
    const { ask, stop } = await start();
    const resting = monitorEventLoop(0);
    await nextBeat();
    for (let request = 0; request < 100; request++) await ask();
    expect(mostWorkMs(resting)).toBeLessThan(200);
    resting.stop();
    await stop();
  },
);

test('requests that are answered in one turn are one stall', async () => {
  const { port, stop } = await servers.responder(60);
  const clients = Array.from({ length: 5 }, () => connect(port, '127.0.0.1'));
  await Promise.all(clients.map((client) => once(client, 'connect')));
  const resting = monitorEventLoop(0);
  await nextBeat();
  // The kernel has all five before the event loop looks for the next time.
  for (const client of clients) client.write(hello);
  await Promise.all(clients.map((client) => once(client.resume(), 'close')));
  expect(resting.longestStallMs()).toBeGreaterThan(250);
  resting.stop();
  await stop();
});

const hello = 'GET /hello HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';

async function get(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.write(hello);
  await once(socket.resume(), 'close');
}

function runOnSystemClock(steps: Generator<undefined, void>): Promise<void> {
  return new Promise((resolve) => {
    runOnClock(steps, { clock: systemClock, sliceMs: 4 }, resolve);
  });
}
