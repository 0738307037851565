// Sends unrequested ICMP echo replies to an address of this host: `flood-icmp.js ADDRESS PER_SECOND
// SECONDS`. IPv4 replies are well-formed and belong to another process. IPv6 replies have a wrong
// checksum. The program prints a line when it has begun, and always ends after the given time.
import { Buffer } from 'node:buffer';
import { isIPv6 } from 'node:net';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import koffi from 'koffi';

const [address = '', perSecond = '', seconds = ''] = process.argv.slice(2);
const [internet, internet6, raw, icmp, rawProtocol, dontWait] = [2, 10, 3, 1, 255, 0x40];
const roundMs = 10;

const libc = koffi.load(null);
const socket = libc.func('int socket(int, int, int)');
const sendto = libc.func('long sendto(int, const void *, ulong, int, const void *, uint)');

const v6 = isIPv6(address);
const ip = v6 ? bytes6(address) : Buffer.from(address.split('.').map(Number));
const to = Buffer.alloc(v6 ? 28 : 16);
to.writeUInt16LE(v6 ? internet6 : internet, 0);
ip.copy(to, v6 ? 8 : 4);
const packet = v6 ? reply6() : reply4();
const fd = v6 ? socket(internet6, raw, rawProtocol) : socket(internet, raw, icmp);

process.stdout.write('begun\n');
let sent = 0;
const beganMs = performance.now();
for (;;) {
  const elapsedMs = performance.now() - beganMs;
  if (elapsedMs > Number(seconds) * 1000) break;
  const due = (elapsedMs / 1000) * Number(perSecond);
  for (; sent < due; sent++) sendto(fd, packet, packet.length, dontWait, to, to.length);
  await delay(roundMs);
}

/** An echo reply with a right checksum and identifier 0, which none of our sockets has. */
function reply4() {
  const packet = Buffer.alloc(16);
  packet.writeUInt16BE(0xffff, 2);
  return packet;
}

/**
 * A whole IPv6 packet from the address to itself. It contains an echo reply with a wrong checksum.
 */
function reply6() {
  const packet = Buffer.alloc(56);
  packet.writeUInt8(0x60, 0);
  packet.writeUInt16BE(16, 4);
  packet.writeUInt8(58, 6);
  packet.writeUInt8(64, 7);
  ip.copy(packet, 8);
  ip.copy(packet, 24);
  packet.writeUInt8(129, 40);
  packet.writeUInt16BE(1, 42);
  return packet;
}

/** @param {string} text */
function bytes6(text) {
  const [head = '', tail = ''] = text.split('::');
  const groups = (/** @type {string} */ part) => part.split(':').filter(Boolean);
  const [left, right] = [groups(head), groups(tail)];
  const zeros = Array(8 - left.length - right.length).fill('0');
  const bytes = Buffer.alloc(16);
  [...left, ...zeros, ...right].forEach((group, i) =>
    bytes.writeUInt16BE(Number.parseInt(group, 16), 2 * i),
  );
  return bytes;
}
