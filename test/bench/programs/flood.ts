// `flood.mjs MODE SOCKET-OR-PORT PATH CONNECTIONS SECONDS`: keeps a server busy for some seconds.
// It prints the number of requests or connections.
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';

const [mode = '', where = '', path = '/', connections = '1', seconds = '1'] = process.argv.slice(2);
const to = /^\d+$/.test(where)
  ? { port: Number(where), host: '127.0.0.1' }
  : { path: where, host: '' };
let count = 0;
let isOver = false;

/**
 * Opens a connection and calls `act` with it. It opens the next one when the connection is closed.
 */
function keepOpen(act: (socket: Socket) => void): void {
  if (isOver) return;
  const socket = connect(to);
  socket.on('error', () => undefined);
  socket.once('connect', () => {
    count++;
    act(socket);
  });
  // A pause avoids a busy loop if the server refuses at once.
  socket.once('close', () => setTimeout(() => keepOpen(act), 20));
  socket.resume();
  setTimeout(() => socket.destroy(), untilMs - performance.now());
}

const head = `GET ${path} HTTP/1.1\r\nHost: x\r\n`;
const pipelined = `${head}\r\n`.repeat(1600);

const modes: Readonly<Record<string, () => void>> = {
  /** Sends half a request, then a few bytes each second, and never the end. */
  slow: () =>
    keepOpen((socket) => {
      socket.write(head);
      const more = setInterval(() => socket.write('X-More: 1\r\n'), 1000);
      socket.once('close', () => clearInterval(more));
    }),
  /** Sends nothing. */
  silent: () => keepOpen(() => undefined),
  /** Sends a header of a megabyte. */
  huge: () => keepOpen((socket) => socket.write(`${head}X-Huge: ${'x'.repeat(1 << 20)}\r\n\r\n`)),
  /** Sends whole requests, one after the other. */
  ask,
  /** Sends requests without end on each connection and reads no answer. */
  pipeline: () =>
    keepOpen((socket) => {
      socket.pause();
      const send = (): void => {
        if (!socket.destroyed) socket.write(pipelined, () => setImmediate(send));
      };
      send();
    }),
};

const agent = new Agent({ keepAlive: true });

function ask(): void {
  if (isOver) return;
  const target = to.host === '' ? { socketPath: to.path } : to;
  const call = request({ ...target, path: path, agent }, (response) => {
    response.resume();
    response.once('close', () => {
      count++;
      ask();
    });
  });
  call.once('error', () => setTimeout(ask, 20));
  call.end();
}

const startedMs = performance.now();
const untilMs = startedMs + Number(seconds) * 1000;
const start = modes[mode];
if (!start) throw new Error(`expected one of ${Object.keys(modes).join(', ')}, got ${mode}`);
for (let number = 0; number < Number(connections); number++) start();
setTimeout(
  () => {
    isOver = true;
    const perSecond = (count / (performance.now() - startedMs)) * 1000;
    process.stdout.write(`${JSON.stringify({ perSecond })}\n`, () => process.exit(0));
  },
  Number(seconds) * 1000,
);
