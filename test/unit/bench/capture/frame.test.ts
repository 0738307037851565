import { describe, expect, test } from 'vitest';
import { addressNumber, readEcho } from '../../../bench/capture/frame.js';

interface Fields {
  readonly type: number;
  readonly headerWords?: number;
  readonly protocol?: number;
  readonly fragment?: number;
}

/** An IPv4 packet from 198.51.100.1 to 198.18.0.7 with an ICMP message in it. */
function packet({ type, headerWords = 5, protocol = 1, fragment = 0 }: Fields): Buffer {
  const at = headerWords * 4;
  const bytes = Buffer.alloc(at + 16);
  bytes.writeUInt8(0x40 | headerWords, 0);
  bytes.writeUInt16BE(fragment, 6);
  bytes.writeUInt8(protocol, 9);
  Buffer.from([198, 51, 100, 1]).copy(bytes, 12);
  Buffer.from([198, 18, 0, 7]).copy(bytes, 16);
  bytes.writeUInt8(type, at);
  bytes.writeUInt16BE(0xabcd, at + 4);
  bytes.writeUInt16BE(65_535, at + 6);
  return bytes;
}

describe('readEcho', () => {
  test('names the peer: the destination of a request, the source of a reply', () => {
    const common = { id: 0xabcd, sequence: 65_535 };
    expect(readEcho(packet({ type: 8 }))).toEqual({
      ...common,
      kind: 'request',
      address: addressNumber('198.18.0.7'),
    });
    expect(readEcho(packet({ type: 0 }))).toEqual({
      ...common,
      kind: 'reply',
      address: addressNumber('198.51.100.1'),
    });
  });

  test('goes by the header length where there are options', () => {
    expect(readEcho(packet({ type: 8, headerWords: 8 }))).toMatchObject({ sequence: 65_535 });
  });

  test('leaves out what is no whole echo', () => {
    expect(readEcho(packet({ type: 3 }))).toBeUndefined();
    expect(readEcho(packet({ type: 8, protocol: 6 }))).toBeUndefined();
    expect(readEcho(packet({ type: 8, fragment: 0x2000 }))).toBeUndefined();
    expect(readEcho(packet({ type: 8, fragment: 0x0003 }))).toBeUndefined();
    expect(readEcho(packet({ type: 8, headerWords: 4 }))).toBeUndefined();
  });

  test('reads a packet that may not be fragmented', () => {
    expect(readEcho(packet({ type: 8, fragment: 0x4000 }))).toBeDefined();
  });

  test('never reads beyond a packet that was cut short', () => {
    const whole = packet({ type: 8, headerWords: 15 });
    for (let length = 0; length < 68; length++) {
      expect(readEcho(whole.subarray(0, length))).toBeUndefined();
    }
  });

  test('takes other versions of IP for nothing', () => {
    const bytes = packet({ type: 8 });
    bytes.writeUInt8(0x65, 0);
    expect(readEcho(bytes)).toBeUndefined();
  });
});

test('an address is the number that stands in the packet', () => {
  expect(addressNumber('198.18.1.2')).toBe(Buffer.from([198, 18, 1, 2]).readUInt32BE());
});
