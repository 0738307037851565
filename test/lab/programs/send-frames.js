// Sends Ethernet frames of a protocol that nobody speaks to all hosts of a link: `send-frames.js INTERFACE COUNT`. The kernel of each
// host counts them as dropped. A process in the network namespace of the sender runs it.
import { Buffer } from 'node:buffer';
import process from 'node:process';
import koffi from 'koffi';

const [name = '', count = ''] = process.argv.slice(2);
const [packet, raw] = [17, 3];
/** For local experiments (IEEE 802). */
const protocol = 0x88b5;

const libc = koffi.load(null);
const socket = libc.func('int socket(int, int, int)');
const indexOf = libc.func('uint if_nametoindex(const char *)');
const sendto = libc.func('long sendto(int, const void *, ulong, int, const void *, uint)');

const index = indexOf(name);
if (index === 0) throw new Error(`expected an interface, got ${name}`);
const frame = Buffer.alloc(60);
frame.fill(0xff, 0, 6);
frame.writeUInt16BE(protocol, 12);
const to = Buffer.alloc(20);
to.writeUInt16LE(packet, 0);
to.writeUInt16BE(protocol, 2);
to.writeInt32LE(index, 4);
to.writeUInt8(6, 11);
to.fill(0xff, 12, 18);
const fd = socket(packet, raw, 0);
for (let sent = 0; sent < Number(count); sent++) {
  if (sendto(fd, frame, frame.length, 0, to, to.length) < 0)
    throw new Error('a frame was not sent');
}
