import { describe, expect, test } from 'vitest';
import {
  internetChecksum,
  readIcmp4,
  readIcmp6,
  sameAddress,
} from '../../../../../agent/probing/icmp/packet.js';
import { Random } from '../../../../fuzz/random.js';

const ipv4 = (protocol: number, source: number[], target: number[]) =>
  Buffer.from([0x45, 0, 0, 84, 0, 0, 0, 0, 64, protocol, 0, 0, ...source, ...target]);
const echo = (type: number) => Buffer.from([type, 0, 0, 0, 0x12, 0x34, 0x00, 0x07]);
const outer = ipv4(1, [198, 51, 100, 1], [198, 51, 100, 9]);

describe('readIcmp4', () => {
  test('reads an echo reply behind its IP header', () => {
    const packet = Buffer.concat([outer, echo(0), Buffer.from('cookie!!')]);
    expect(readIcmp4(packet)).toEqual({
      kind: 'reply',
      id: 0x1234,
      sequence: 7,
      payload: Buffer.from('cookie!!'),
    });
  });

  test('reads an echo reply behind IP options', () => {
    const header = Buffer.concat([outer, Buffer.alloc(8)]);
    header.writeUInt8(0x47, 0);
    expect(readIcmp4(Buffer.concat([header, echo(0)]))).toMatchObject({
      kind: 'reply',
      sequence: 7,
    });
  });

  test.each([
    [3, 1, 'unreachable', 'host unreachable'],
    [3, 13, 'prohibited', 'administratively prohibited'],
    [11, 0, 'unreachable', 'time to live exceeded'],
  ])('reads an error of type %d code %d with the address it is about', (type, code, kind, text) => {
    const inner = ipv4(1, [198, 51, 100, 9], [203, 0, 113, 5]);
    const packet = Buffer.concat([
      outer,
      Buffer.from([type, code, 0, 0, 0, 0, 0, 0]),
      inner,
      echo(8),
    ]);
    expect(readIcmp4(packet)).toEqual({
      kind: 'error',
      id: 0x1234,
      sequence: 7,
      target: '203.0.113.5',
      failure: { kind, text },
    });
  });

  test('ignores requests, and errors about other packets than echo requests', () => {
    const error = Buffer.from([3, 3, 0, 0, 0, 0, 0, 0]);
    expect(readIcmp4(Buffer.concat([outer, echo(8)]))).toBeUndefined();
    expect(
      readIcmp4(Buffer.concat([outer, error, ipv4(17, [1, 1, 1, 1], [2, 2, 2, 2]), echo(8)])),
    ).toBeUndefined();
    expect(
      readIcmp4(Buffer.concat([outer, error, ipv4(1, [1, 1, 1, 1], [2, 2, 2, 2]), echo(0)])),
    ).toBeUndefined();
  });
});

describe('readIcmp6', () => {
  const header = Buffer.alloc(40);
  header.writeUInt8(0x60, 0);
  header.writeUInt8(58, 6);
  Buffer.from('20010db8000000000000000000000005', 'hex').copy(header, 24);

  test('reads an echo reply', () => {
    expect(readIcmp6(echo(129))).toMatchObject({ kind: 'reply', id: 0x1234, sequence: 7 });
  });

  test('reads an error with the address it is about', () => {
    const packet = Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]), header, echo(128)]);
    expect(readIcmp6(packet)).toMatchObject({
      kind: 'error',
      sequence: 7,
      target: '2001:db8::5',
      failure: { kind: 'unreachable', text: 'no route to host' },
    });
  });
});

test('the parsers survive hostile bytes of every length', () => {
  const random = new Random(3);
  const readAll = (): void => {
    for (let round = 0; round < 20_000; round++) {
      const packet = random.bytes(round % 120);
      // The first bytes choose the branch of the parser, so each branch must be likely.
      if (packet.length > 20 && round % 3 > 0) packet.writeUInt8(round % 2 ? 0x45 : 0x4f, 0);
      if (packet.length > 21) packet.writeUInt8([0, 3, 11, 8][round % 4] ?? 0, 20);
      if (packet.length > 29) packet.writeUInt8(round % 5 ? 0x45 : 0x40, 28);
      readIcmp4(packet);
      if (packet.length > 0) packet.writeUInt8([129, 1, 3, 128][round % 4] ?? 0, 0);
      readIcmp6(packet);
    }
  };
  expect(readAll).not.toThrow();
});

test('internetChecksum makes a packet that sums up to zero, whatever its length', () => {
  const random = new Random(4);
  for (const length of [8, 9, 16, 17]) {
    const packet = random.bytes(length);
    packet.writeUInt16BE(0, 2);
    packet.writeUInt16BE(internetChecksum(packet), 2);
    expect(internetChecksum(packet)).toBe(0);
  }
});

test('sameAddress takes two spellings for one address', () => {
  expect(sameAddress('2001:DB8:0::1', '2001:db8::1')).toBe(true);
  expect(sameAddress('198.51.100.1', '198.51.100.2')).toBe(false);
});
