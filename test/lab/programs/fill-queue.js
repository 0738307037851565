// Keeps packets in the queue of the device that leads to an address: `fill-queue.js ADDRESS PORT
// BYTES`. The kernel counts queued packets as part of the socket's send buffer. So a sender that
// never pauses keeps about that many bytes in the queue, and no packet is dropped. The program ends
// when its standard input ends.
import { Buffer } from 'node:buffer';
import { createSocket } from 'node:dgram';
import process from 'node:process';
import { setImmediate } from 'node:timers';

const [address = '', port = '', bytes = ''] = process.argv.slice(2);
const datagram = Buffer.alloc(1200);
const sendsAtOnce = 64;

const socket = createSocket('udp4');
socket.on('error', (error) => {
  throw error;
});
process.stdin.resume().once('end', () => process.exit(0));
socket.bind(0, () => {
  // The kernel doubles the requested size (man 7 socket).
  socket.setSendBufferSize(Number(bytes) / 2);
  process.stdout.write('begun\n');
  for (let i = 0; i < sendsAtOnce; i++) send();
});

function send() {
  // Nobody listens on the port, so a refused datagram is as good as a sent one.
  socket.send(datagram, Number(port), address, () => setImmediate(send));
}
