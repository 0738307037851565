// Sends one datagram on each of so many flows: `open-flows.js ADDRESS COUNT`, to the ports of that address from 1024 on, then to those
// of the next address. Each takes a place in the table of connections, where that is on.
import { Buffer } from 'node:buffer';
import process from 'node:process';
import koffi from 'koffi';

const [first = '', count = ''] = process.argv.slice(2);
const [internet, datagram] = [2, 2];
const portsPerAddress = 60_000;

const libc = koffi.load(null);
const socket = libc.func('int socket(int, int, int)');
const sendto = libc.func('long sendto(int, const void *, ulong, int, const void *, uint)');

const fd = socket(internet, datagram, 0);
const to = Buffer.alloc(16);
to.writeUInt16LE(internet, 0);
const numbers = first.split('.').map(Number);
Buffer.from(numbers).copy(to, 4);
const content = Buffer.alloc(1);
for (let flow = 0; flow < Number(count); flow++) {
  to.writeUInt16BE(1024 + (flow % portsPerAddress), 2);
  to.writeUInt8((numbers[3] ?? 0) + Math.floor(flow / portsPerAddress), 7);
  // A full table refuses some: that is what is wanted.
  sendto(fd, content, content.length, 0, to, to.length);
}
