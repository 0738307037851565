// `bare-agent.mjs NODES PORT`: sends and answers as many echoes and GETs as an agent of a bench cluster, and does
// nothing else: no states, no deadlines, no exchange. What it costs, Node and the kernel take in any case.
import { connect, createServer } from 'node:net';
import { loadLibc } from '../../../agent/platform/libc.js';
import { MessageRing } from '../../../agent/probing/icmp/kernel/message-ring.js';
import { openIcmpSocket } from '../../../agent/probing/icmp/kernel/open-icmp-socket.js';
import { socketAddress } from '../../../agent/probing/icmp/kernel/socket-address.js';
import {
  groupings,
  groupPeriodMs,
  type Grouping,
} from '../../../agent/probing/schedule/group-period.js';
import { defaultCadence } from '../environment/cadence.js';
import { clusterOf } from '../environment/cluster.js';
import { agentIp } from '../environment/environment.js';

const [count = '', port = ''] = process.argv.slice(2);
/** The agent's own ticks are this far apart. */
const tickMs = 50;
const dontWait = 0x40;
const echoRequest = 8;

const ips = clusterOf(Number(count)).flatMap(({ host, endpoint }) => [host, endpoint]);
const cadence = defaultCadence(ips.length);
const addresses = ips.map((ip) => socketAddress(4, ip));
const libc = loadLibc();
const { fd } = openIcmpSocket(libc, 4, 1);
const echo = Buffer.alloc(16);
echo.writeUInt8(echoRequest, 0);
const ring = new MessageRing(libc);

function sendEcho(index: number): void {
  const to = addresses[index % addresses.length] as Buffer;
  libc.sendto(fd, echo, echo.length, dontWait, to, to.length);
}

function readReplies(): void {
  while (ring.receiveMany(fd, dontWait) === ring.isFullAt);
}

function sendGet(index: number): void {
  const host = ips[index % ips.length] as string;
  const socket = connect({ host, port: Number(port), autoSelectFamily: false });
  socket.once('connect', () => socket.write(`GET /hello HTTP/1.1\r\nhost: ${host}\r\n\r\n`));
  socket.once('data', () => socket.destroy());
  socket.on('error', () => undefined);
}

createServer({ noDelay: true }, (socket) => {
  socket.once('data', () => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nConnection: close\r\n\r\n');
    socket.destroy();
  });
  socket.on('error', () => undefined);
}).listen(Number(port), agentIp, () => process.stdout.write('ready\n'));

let [echoes, gets] = [0, 0];
const startedMs = performance.now();
const [echoEveryMs, getEveryMs] = [cadence.icmp / ips.length, cadence.http / ips.length];
const groupOf = (intervalMs: number, grouping: Grouping): number =>
  Math.max(groupPeriodMs(intervalMs, ips.length, grouping), tickMs);
const echoGroupMs = groupOf(cadence.icmp, groupings.kernel);
const getGroupMs = groupOf(cadence.http, groupings.http);

/** Sends what is due, and waits for the first beat of the agent's groups on which something is due again. */
function run(): void {
  const elapsedMs = performance.now() - startedMs;
  readReplies();
  for (; echoes * echoEveryMs <= elapsedMs; echoes++) sendEcho(echoes);
  for (; gets * getEveryMs <= elapsedMs; gets++) sendGet(gets);
  const echoBeatMs = Math.ceil((echoes * echoEveryMs) / echoGroupMs) * echoGroupMs;
  const getBeatMs = Math.ceil((gets * getEveryMs) / getGroupMs) * getGroupMs;
  setTimeout(run, Math.max(Math.min(echoBeatMs, getBeatMs) - elapsedMs, 1));
}
run();
