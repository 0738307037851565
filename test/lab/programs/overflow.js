// Fills what a program does not read: `overflow.js udp|tcp`. By UDP it sends datagrams to a socket of its own until its buffer is
// long full; by TCP it opens connections that nobody accepts. The kernel of its network namespace counts both.
import { Buffer } from 'node:buffer';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import koffi from 'koffi';

const [protocol = ''] = process.argv.slice(2);
const [internet, stream, datagram, nonBlocking] = [2, 1, 2, 0o4000];
const [port, count] = [7777, 600];

const libc = koffi.load(null);
const socket = libc.func('int socket(int, int, int)');
const bind = libc.func('int bind(int, const void *, uint)');
const listen = libc.func('int listen(int, int)');
const connect = libc.func('int connect(int, const void *, uint)');
const sendto = libc.func('long sendto(int, const void *, ulong, int, const void *, uint)');

const address = Buffer.alloc(16);
address.writeUInt16LE(internet, 0);
address.writeUInt16BE(port, 2);
Buffer.from([127, 0, 0, 1]).copy(address, 4);
const own = socket(internet, protocol === 'udp' ? datagram : stream, 0);
if (bind(own, address, address.length) < 0) throw new Error(`port ${port} is taken`);
if (protocol === 'udp') {
  const sender = socket(internet, datagram, 0);
  const content = Buffer.alloc(1000);
  for (let sent = 0; sent < count; sent++)
    sendto(sender, content, content.length, 0, address, address.length);
} else {
  listen(own, 1);
  for (let opened = 0; opened < 60; opened++)
    connect(socket(internet, stream | nonBlocking, 0), address, address.length);
  // The kernel tries each of them again and again.
  await delay(3000);
}
