import { expect, test } from 'vitest';
import { MessageRing } from '../../../../../../agent/probing/icmp/kernel/message-ring.js';
import type { Libc } from '../../../../../../agent/platform/libc.js';

interface Packet {
  readonly text: string;
  readonly controlBytes?: number;
  readonly flags?: number;
}

/** A kernel that delivers these batches, one for each call. Buffers have made-up addresses. */
function ringOf(batches: readonly (readonly Packet[])[]): MessageRing {
  const buffers = new Map<bigint, Buffer>();
  const waiting = [...batches];
  const libc = {
    addressOf(buffer: Buffer) {
      const address = BigInt(buffers.size + 1) << 32n;
      buffers.set(address, buffer);
      return address;
    },
    recvmmsg(_: number, headers: Buffer) {
      const batch = waiting.shift() ?? [];
      batch.forEach(({ text, controlBytes = 0, flags = 0 }, slot) => {
        const header = slot * 64;
        // It gives at most as much as there is room for, as the kernel does.
        const room = Number(headers.readBigUInt64LE(header + 40));
        const iovec = headers.readBigUInt64LE(header + 16);
        const iovecs = buffers.get((iovec >> 32n) << 32n) as Buffer;
        const at = iovecs.readBigUInt64LE(Number(iovec & 0xffffffffn));
        const data = buffers.get((at >> 32n) << 32n) as Buffer;
        data.write(text, Number(at & 0xffffffffn));
        headers.writeUInt32LE(Math.min(16, headers.readUInt32LE(header + 8)), header + 8);
        headers.writeUInt32LE(Math.min(controlBytes, room), header + 40);
        headers.writeUInt32LE(flags, header + 48);
        headers.writeUInt32LE(text.length, header + 56);
      });
      return batch.length;
    },
  };
  return new MessageRing(libc as unknown as Libc);
}

function received(ring: MessageRing): (readonly [string, number, number | undefined])[] {
  return Array.from({ length: ring.receiveMany(3, 0) }, (_, slot) => {
    const { name, data, control } = ring.message(slot);
    return [data.toString(), name.length, control?.length];
  });
}

test('messages of the same slot have the text and the lengths of each', () => {
  const ring = ringOf([
    [
      { text: 'one', controlBytes: 32 },
      { text: 'two', controlBytes: 32 },
    ],
    [{ text: 'six', controlBytes: 32 }],
    [{ text: 'eleven', controlBytes: 64 }],
    [
      { text: 'twelve', controlBytes: 64, flags: 8 },
      { text: 'ten', controlBytes: 256 },
    ],
    [{ text: 'twelve', controlBytes: 64 }],
  ]);
  expect(received(ring)).toEqual([
    ['one', 16, 32],
    ['two', 16, 32],
  ]);
  expect(received(ring)).toEqual([['six', 16, 32]]);
  expect(received(ring)).toEqual([['eleven', 16, 64]]);
  expect(received(ring)).toEqual([
    ['twelve', 16, undefined],
    ['ten', 16, 256],
  ]);
  expect(received(ring)).toEqual([['twelve', 16, 64]]);
});
