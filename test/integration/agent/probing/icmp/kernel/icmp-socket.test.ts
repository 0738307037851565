import { randomInt } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { loadLibc } from '../../../../../../agent/platform/libc.js';
import { IcmpSocket } from '../../../../../../agent/probing/icmp/kernel/icmp-socket.js';
import { ReceiveQueue } from '../../../../../../agent/probing/icmp/kernel/receive-queue.js';
import { socketAddress } from '../../../../../../agent/probing/icmp/kernel/socket-address.js';
import { internetChecksum } from '../../../../../../agent/probing/icmp/packet.js';

const [internet6, raw, rawProtocol, dontWait] = [10, 3, 255, 0x40];

/** An echo reply with an identifier; its checksum field is empty. */
function reply(type: number, id: number): Buffer {
  const packet = Buffer.alloc(16);
  packet.writeUInt8(type, 0);
  packet.writeUInt16BE(id, 4);
  return packet;
}

/** Opens a socket of the agent if this machine gives it a raw one. */
function openRaw(family: 4 | 6): IcmpSocket | undefined {
  try {
    const socket = new IcmpSocket(loadLibc(), family, randomInt(1, 0x10000));
    if (socket.isRaw) return socket;
    socket.close();
  } catch {
    return undefined;
  }
  return undefined;
}

describe('a raw ICMP socket', () => {
  const sockets = { 4: openRaw(4), 6: openRaw(6) };
  afterAll(() => {
    sockets[4]?.close();
    sockets[6]?.close();
  });

  beforeEach(({ skip }) => {
    if (!sockets[4] || !sockets[6]) skip('needs raw sockets, and no right to unprivileged ones');
  });

  /** Sends a packet over loopback from another socket. */
  function send(family: 4 | 6, packet: Buffer, protocol: number): void {
    const libc = loadLibc();
    const fd = libc.socket(family === 4 ? 2 : internet6, raw, protocol);
    const to = socketAddress(family, family === 4 ? '127.0.0.1' : '::1');
    const sent = libc.sendto(fd, packet, packet.length, dontWait, to, to.length);
    libc.close(fd);
    expect(sent).toBe(packet.length);
  }

  test('keeps answers to others out of its queue, over IPv4', () => {
    const socket = sockets[4] as IcmpSocket;
    const packet = (id: number): Buffer => {
      const bytes = reply(0, id);
      bytes.writeUInt16BE(internetChecksum(bytes), 2);
      return bytes;
    };
    send(4, packet(socket.id ^ 1), 1);
    expect(socket.queueState().bytes).toBe(0);
    send(4, packet(socket.id), 1);
    expect(socket.queueState().bytes).toBeGreaterThan(0);
  });

  test('keeps answers to others out of its queue, over IPv6', () => {
    const socket = sockets[6] as IcmpSocket;
    send(6, reply(129, socket.id ^ 1), 58);
    expect(socket.queueState().bytes).toBe(0);
    send(6, reply(129, socket.id), 58);
    expect(socket.queueState().bytes).toBeGreaterThan(0);
  });

  test('excuses no probe for a packet that was dropped for its wrong checksum', () => {
    const socket = sockets[6] as IcmpSocket;
    const queue = new ReceiveQueue(() => socket.queueState());
    const { drops } = socket.queueState();
    const header = Buffer.alloc(40);
    header.writeUInt8(0x60, 0);
    header.writeUInt16BE(16, 4);
    header.writeUInt8(58, 6);
    header.writeUInt8(64, 7);
    header.writeUInt8(1, 23);
    header.writeUInt8(1, 39);
    const forged = reply(129, socket.id);
    forged.writeUInt16BE(0x1234, 2);
    for (let i = 0; i < 5; i++) send(6, Buffer.concat([header, forged]), rawProtocol);
    // The kernel must have counted drops, or the test would show nothing.
    expect(socket.queueState().drops - drops).toBe(5);
    queue.beforeReading();
    queue.afterReading();
    expect([queue.dropped, queue.excuse(0)]).toEqual([0, false]);
  });
});
