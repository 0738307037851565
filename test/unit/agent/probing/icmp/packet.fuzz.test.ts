import { isIP } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  readExtendedError,
  readTimestamp,
  readTtl,
} from '../../../../../agent/probing/icmp/kernel/control-message.js';
import { readEchoReply, readIcmp4, readIcmp6 } from '../../../../../agent/probing/icmp/packet.js';
import { mutate, Random } from '../../../../fuzz/random.js';
import { fuzzScale } from '../../../../fuzz/scale.js';
import { control } from './control.js';

const echo = (type: number) =>
  Buffer.from([type, 0, 0, 0, 0x12, 0x34, 0x00, 0x07, 1, 2, 3, 4, 5, 6, 7, 8]);

/** An IPv4 header with ICMP behind it (RFC 791). */
const ip4 = (target: number) =>
  Buffer.from([0x45, 0, 0, 36, 0, 0, 0, 0, 64, 1, 0, 0, 127, 0, 0, 1, 198, 51, 100, target]);

/** An IPv6 header with ICMPv6 behind it (RFC 8200). */
const ip6 = Buffer.concat([
  Buffer.from([0x60, 0, 0, 0, 0, 16, 58, 64]),
  Buffer.from('20010db8000000000000000000000001', 'hex'),
  Buffer.from('20010db8000000000000000000000002', 'hex'),
]);
const unreachable = (type: number) => Buffer.from([type, 1, 0, 0, 0, 0, 0, 0]);

const packets = {
  'an IPv4 reply': Buffer.concat([ip4(1), echo(0)]),
  'an IPv4 error': Buffer.concat([ip4(1), unreachable(3), ip4(2), echo(8)]),
  'an IPv6 reply': echo(129),
  'an IPv6 error': Buffer.concat([unreachable(1), ip6, echo(128)]),
};

describe.each(Object.entries(packets))('%s with random changes', (_, valid) => {
  test('gives a message of the promised shape, or none', () => {
    const random = new Random(19);
    const rounds = fuzzScale(500);
    const kinds = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      const packet = mutate(valid, random);
      for (const message of [
        readIcmp4(packet),
        readIcmp6(packet),
        readEchoReply(packet, 4, true),
        readEchoReply(packet, 4, false),
        readEchoReply(packet, 6, false),
      ]) {
        kinds.add(message?.kind ?? 'none');
        if (message === undefined) continue;
        for (const number of [message.id, message.sequence]) {
          expect(number).toBe(number & 0xffff);
        }
        if (message.kind === 'reply') {
          // A returned part must lie in the packet and begin at the stated offset.
          const start = packet.length - message.payload.length;
          expect(packet.readUInt16BE(start - 4)).toBe(message.id);
          expect(packet.readUInt16BE(start - 2)).toBe(message.sequence);
        } else {
          expect(isIP(message.target)).not.toBe(0);
          expect(message.failure.text).toMatch(/^[a-z ]{5,40}$/);
        }
      }
    }
    expect(kinds.has('none') && kinds.size > 1).toBe(true);
  });
});

test('control messages with random changes give valid values, or none', () => {
  const random = new Random(23);
  const error = Buffer.alloc(32);
  error.writeUInt32LE(113, 0);
  error.writeUInt16LE(2, 16);
  const valid = Buffer.concat([
    control(0, 2, Buffer.from([61, 0, 0, 0])),
    control(1, 35, Buffer.alloc(16, 1)),
    control(0, 11, error),
    control(41, 25, error),
  ]);
  const found = { stamps: 0, ttls: 0, errors: 0 };
  const rounds = fuzzScale(1000);
  for (let round = 0; round < rounds; round++) {
    const bytes = mutate(valid, random);
    const stamp = readTimestamp(bytes);
    if (stamp) {
      found.stamps++;
      expect(Number.isFinite(stamp.seconds) && Number.isFinite(stamp.nanoseconds)).toBe(true);
    }
    const ttl = readTtl(bytes);
    if (ttl !== undefined) {
      found.ttls++;
      expect(ttl >= 1 && ttl <= 255).toBe(true);
    }
    const said = readExtendedError(bytes);
    if (!said) continue;
    found.errors++;
    expect(said.errno).toBe(said.errno >>> 0);
    for (const number of [said.origin, said.type, said.code]) expect(number).toBe(number & 0xff);
    if (said.offender !== undefined) expect(isIP(said.offender)).not.toBe(0);
  }
  for (const count of Object.values(found)) {
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(rounds);
  }
});
