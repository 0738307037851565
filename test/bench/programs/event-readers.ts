// `event-readers.mjs SOCKET READING SILENT SECONDS`: reads events on many connections for some
// seconds. It also keeps SILENT connections open without reading. It prints how many events came.
import { connect, type Socket } from 'node:net';

const [socketPath = '', reading = '0', silent = '0', seconds = '1'] = process.argv.slice(2);
const head =
  'GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAccept: application/x-ndjson\r\nConnection: close\r\n\r\n';
const eventStart = '{"id":';
const counts: number[] = [];
let connected = 0;
let ended = 0;

function open(): Socket {
  const socket = connect(socketPath);
  socket.once('connect', () => {
    connected++;
    socket.write(head);
  });
  socket.on('error', () => undefined);
  socket.once('close', () => ended++);
  return socket;
}

for (let number = 0; number < Number(reading); number++) {
  counts[number] = 0;
  let rest = '';
  open()
    .setEncoding('utf8')
    .on('data', (text: string) => {
      // The start of an event may be split over two chunks, so the end of each chunk is kept.
      const unread = rest + text;
      counts[number] = (counts[number] ?? 0) + unread.split(eventStart).length - 1;
      rest = unread.slice(1 - eventStart.length);
    });
}
for (let number = 0; number < Number(silent); number++) open().pause();

setTimeout(
  () => {
    const events = counts.reduce((sum, one) => sum + one, 0);
    const figures = { events, fewest: Math.min(...counts), connected, ended };
    process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
  },
  Number(seconds) * 1000,
);
