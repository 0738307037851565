import { describe, expect, test } from 'vitest';
import {
  readExtendedError,
  readTimestamp,
  readTtl,
} from '../../../../../../agent/probing/icmp/kernel/control-message.js';
import {
  literalOf,
  socketAddress,
} from '../../../../../../agent/probing/icmp/kernel/socket-address.js';
import { readEchoReply } from '../../../../../../agent/probing/icmp/packet.js';
import { Random } from '../../../../../fuzz/random.js';
import { control } from '../control.js';

function timespec(seconds: number, nanoseconds: number): Buffer {
  const data = Buffer.alloc(16);
  data.writeBigInt64LE(BigInt(seconds), 0);
  data.writeBigInt64LE(BigInt(nanoseconds), 8);
  return data;
}

describe('control messages', () => {
  test('give the receive timestamp, wherever it stands among others', () => {
    const other = control(0, 8, Buffer.from([1, 2, 3]));
    const stamp = control(1, 35, timespec(1_795_243_071, 123_456_789));
    expect(readTimestamp(Buffer.concat([other, stamp]))).toEqual({
      seconds: 1_795_243_071,
      nanoseconds: 123_456_789,
    });
    expect(readTimestamp(other)).toBeUndefined();
  });

  test('give the TTL of IPv4 and the hop limit of IPv6, if it is one', () => {
    const number = (value: number) => {
      const data = Buffer.alloc(4);
      data.writeInt32LE(value);
      return data;
    };
    const stamp = control(1, 35, timespec(1, 1));
    expect(readTtl(Buffer.concat([stamp, control(0, 2, number(61))]))).toBe(61);
    expect(readTtl(Buffer.concat([stamp, control(41, 52, number(255))]))).toBe(255);
    expect(readTtl(stamp)).toBeUndefined();
    for (const value of [0, -1, 256, 2 ** 31 - 1]) {
      expect(readTtl(control(0, 2, number(value)))).toBeUndefined();
    }
    expect(readTtl(control(0, 2, Buffer.from([61])))).toBeUndefined();
  });

  test('give an ICMP error and its sender', () => {
    const error = Buffer.alloc(32);
    error.writeUInt32LE(113, 0);
    Buffer.from([2, 3, 1]).copy(error, 4);
    error.writeUInt32LE(1400, 8);
    socketAddress(4, '198.51.100.254').copy(error, 16);
    expect(readExtendedError(control(0, 11, error))).toEqual({
      errno: 113,
      origin: 2,
      type: 3,
      code: 1,
      info: 1400,
      offender: '198.51.100.254',
    });
    expect(readExtendedError(control(41, 25, error.subarray(0, 16)))?.offender).toBeUndefined();
  });

  test('are ignored if their lengths are wrong', () => {
    for (const length of [0, 1, 15, 33, 2 ** 31]) {
      const lying = control(1, 35, timespec(1, 1));
      lying.writeUInt32LE(length >>> 0, 0);
      expect(readTimestamp(lying)).toBeUndefined();
    }
  });
});

test('a socket address keeps its literal', () => {
  for (const ip of ['127.0.0.1', '198.51.100.7']) {
    expect(literalOf(socketAddress(4, ip))).toBe(ip);
  }
  for (const ip of ['::1', '2001:db8::1', 'fd00:10:244::1:1', '2001:db8:1:2:3:4:5:6', '1::']) {
    expect(literalOf(socketAddress(6, ip))).toBe(ip);
  }
});

test('the parsers survive hostile bytes of every length', () => {
  const random = new Random(5);
  const readAll = (): void => {
    for (let round = 0; round < 20_000; round++) {
      const bytes = random.bytes(round % 100);
      if (bytes.length >= 16) {
        bytes.writeUInt32LE(round % 3 ? bytes.length : round % 40, 0);
        bytes.writeInt32LE([0, 1, 41][round % 3] ?? 0, 8);
        bytes.writeInt32LE([11, 35, 25][round % 3] ?? 0, 12);
      }
      readTimestamp(bytes);
      readExtendedError(bytes);
      readEchoReply(bytes, round % 2 ? 4 : 6, round % 4 === 1);
    }
  };
  expect(readAll).not.toThrow();
});
