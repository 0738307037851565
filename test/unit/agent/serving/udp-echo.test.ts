import { describe, expect, test } from 'vitest';
import { MeshKeys } from '../../../../agent/exchange/messages/mesh-keys.js';
import {
  datagramBytes,
  decodeDatagram,
  encodeDatagram,
  type Datagram,
} from '../../../../agent/model/udp-datagram.js';
import {
  answersPerSecond,
  answersPerSource,
} from '../../../../agent/serving/responder/udp-echo-limits.js';
import { createUdpAnswer } from '../../../../agent/serving/responder/udp-echo.js';
import { Random } from '../../../fuzz/random.js';

const port = 4240;
const listed = { address: '192.0.2.1', port: 50_000 };
const stranger = { address: '203.0.113.7', port: 50_000 };
const noKeys = new MeshKeys();
const ask = (sequence: number, more: Partial<Datagram> = {}, keys = noKeys): Buffer => {
  const asked = { type: 'request', session: 'session1', sequence, counter: 0, epoch: 0 } as const;
  return encodeDatagram({ ...asked, ...more }, keys);
};

function echo(keys = noKeys) {
  const clock = { ms: 0 };
  const isAllowed = (ip: string) => ip !== stranger.address;
  const answer = createUdpAnswer({ port, keys, isAllowed, nowMs: () => clock.ms });
  const counterOf = (data: Buffer, from = listed) => {
    const answered = answer(data, from);
    return answered && decodeDatagram(answered, 'answer')?.counter;
  };
  return { clock, answer, counterOf };
}

describe('the echo by UDP', () => {
  test('answers with as many bytes, the same session and sequence, and its count', () => {
    const { answer } = echo();
    const answered = answer(ask(7), listed);
    expect(answered).toHaveLength(datagramBytes);
    const { epoch, ...rest } = decodeDatagram(answered ?? Buffer.alloc(0), 'answer') ?? {};
    expect(rest).toEqual({ type: 'answer', session: 'session1', sequence: 7, counter: 1 });
    expect(epoch).toBeGreaterThan(0);
  });

  test('counts each session of each port and address by itself', () => {
    const { counterOf } = echo();
    expect([1, 2, 2, 3].map((sequence) => counterOf(ask(sequence)))).toEqual([1, 2, 3, 4]);
    expect(counterOf(ask(1, { session: 'session2' }))).toBe(1);
    expect(counterOf(ask(1), { ...listed, port: 50_001 })).toBe(1);
    expect(counterOf(ask(1), { ...listed, address: '192.0.2.2' })).toBe(1);
    expect(counterOf(ask(4))).toBe(5);
  });

  test('answers no stranger, no answer, and no other echo', () => {
    const { answer } = echo();
    expect(answer(ask(1), stranger)).toBeUndefined();
    expect(answer(ask(1, { type: 'answer' }), listed)).toBeUndefined();
    expect(answer(ask(1), { ...listed, port })).toBeUndefined();
    expect(answer(ask(1), { ...listed, port: 0 })).toBeUndefined();
  });

  test('does not answer its own answers, so two echoes never talk to each other', () => {
    const [one, other] = [echo(), echo()];
    const answered = one.answer(ask(1), listed) ?? Buffer.alloc(0);
    expect(other.answer(answered, listed)).toBeUndefined();
  });

  test('answers nothing that is cut, longer, of another kind or random', () => {
    const { answer } = echo();
    const good = ask(1);
    for (let bytes = 0; bytes < datagramBytes; bytes++) {
      expect(answer(good.subarray(0, bytes), listed)).toBeUndefined();
    }
    for (const more of [1, 100, 60_000]) {
      expect(answer(Buffer.concat([good, Buffer.alloc(more)]), listed)).toBeUndefined();
    }
    for (const at of [0, 3, 4, 5, 7]) {
      const changed = Buffer.from(good);
      changed.writeUInt8(changed.readUInt8(at) ^ 4, at);
      expect(answer(changed, listed)).toBeUndefined();
    }
    const random = new Random(19);
    for (let round = 0; round < 1000; round++) {
      expect(answer(random.bytes(datagramBytes), listed)).toBeUndefined();
    }
    expect(answer(good, listed)).toBeDefined();
  });

  test('answers so many in a second, of each source and of all', () => {
    const { clock, answer } = echo();
    const count = (times: number, address: (index: number) => string) =>
      Array.from({ length: times }, (_, index) =>
        answer(ask(index), { ...listed, address: address(index) }),
      ).filter((answered) => answered !== undefined).length;
    expect(count(1000, () => '192.0.2.1')).toBe(answersPerSource);
    clock.ms += 1000;
    expect(count(5000, (index) => `198.51.${index >> 8}.${index & 255}`)).toBe(answersPerSecond);
    clock.ms += 1000;
    expect(answer(ask(1), listed)).toBeDefined();
  });

  test('forgets the session that was idle longest, and says that it counts anew', () => {
    const { clock, answer } = echo();
    const epochOf = (session: string) => {
      clock.ms += 1000;
      const answered = answer(ask(1, { session }), listed);
      return answered && decodeDatagram(answered, 'answer')?.epoch;
    };
    const first = epochOf('firstone');
    expect(epochOf('firstone')).toBe(first);
    for (let index = 0; index < 16_384; index++) epochOf(String(index).padStart(8, '0'));
    expect(epochOf('firstone')).not.toBe(first);
  });
});

describe('the echo by UDP with a key', () => {
  const keys = new MeshKeys(['0123456789abcdef']);

  test('answers what is signed, and signs its answer', () => {
    const answered = echo(keys).answer(ask(1, {}, keys), listed);
    expect(answered).toBeDefined();
    expect(answered?.subarray(28).equals(Buffer.alloc(16))).toBe(false);
  });

  test('answers nothing that is not, or was changed', () => {
    const { answer } = echo(keys);
    expect(answer(ask(1), listed)).toBeUndefined();
    expect(answer(ask(1, {}, new MeshKeys(['fedcba9876543210'])), listed)).toBeUndefined();
    const signed = ask(1, {}, keys);
    for (let at = 0; at < datagramBytes; at++) {
      const changed = Buffer.from(signed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect([at, answer(changed, listed)]).toEqual([at, undefined]);
    }
  });
});
