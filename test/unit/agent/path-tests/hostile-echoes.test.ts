import { describe, expect, test } from 'vitest';
import { testMtu } from '../../../../agent/path-tests/mtu/mtu-test.js';
import { TestEchoSocket } from '../../../../agent/path-tests/sockets/echo-socket.js';
import { traceByEcho } from '../../../../agent/path-tests/trace/echo-trace.js';
import { echoLibc, type EchoMessage } from '../../../doubles/echo-libc.js';

const { signal } = new AbortController();
const hosts = {
  4: { target: '192.0.2.9', router: '198.51.100.1', stranger: '203.0.113.7' },
  6: { target: '2001:db8::9', router: '2001:db8:1::1', stranger: '2001:db8:2::7' },
} as const;
const replyType = { 4: 0, 6: 129 } as const;
const tooBigOf = { 4: { type: 3, code: 4 }, 6: { type: 2, code: 0 } } as const;

for (const family of [4, 6] as const) {
  const { target, router, stranger } = hosts[family];

  /** The reply to an echo, changed by who lies. */
  const reply = (echo: Buffer, change: (data: Buffer) => Buffer = (data) => data): EchoMessage => {
    const data = Buffer.from(echo);
    data.writeUInt8(replyType[family], 0);
    return { data: change(data), from: target };
  };
  /** "Fragmentation needed" or "packet too big", with what it quotes. */
  const tooBig = (quoted: Buffer, mtu: number, from: string = target): EchoMessage => ({
    data: quoted,
    from,
    error: { by: router, ...tooBigOf[family], mtu },
  });
  const changed = (echo: Buffer, at: number): Buffer => {
    const data = Buffer.from(echo);
    data.writeUInt8(data.readUInt8(at) ^ 1, at);
    return data;
  };
  const longer = (echo: Buffer, bytes: number): Buffer =>
    Buffer.concat([echo, Buffer.alloc(bytes)]);

  /** What a socket takes for answers to one echo of 200 bytes. */
  const answersTo = (network: (echo: Buffer) => readonly EchoMessage[]) => {
    const socket = new TestEchoSocket(echoLibc(family, 1500, network), target, 1500);
    const sent = socket.send(200);
    const answers = socket.receive();
    return { sent, answers };
  };

  /** What a test of the MTU says in the end of a network in which packets of `mtu` bytes pass. */
  const mtuEnd = async (mtu: number, lie: (echo: Buffer) => readonly EchoMessage[]) => {
    const libc = echoLibc(family, 1500, (echo, bytes) => [
      ...(bytes > 96 ? lie(echo) : []),
      ...(bytes <= mtu ? [{ ...reply(echo), afterMs: 20 }] : []),
    ]);
    const lines = [];
    for await (const line of testMtu(libc, target, signal)) lines.push(line);
    return lines.at(-1);
  };

  describe(`a test by echoes of IPv${family}`, () => {
    test('takes the reply that it waits for, once', () => {
      const { sent, answers } = answersTo((echo) => [reply(echo), reply(echo)]);
      expect(answers).toMatchObject([{ kind: 'reply', ...sent }]);
    });

    test.each<[string, (echo: Buffer) => EchoMessage]>([
      ['of one byte more', (echo) => reply(longer(echo, 1))],
      ['of one byte less', (echo) => reply(echo, (data) => data.subarray(0, -1))],
      ['of 9,000 bytes', (echo) => reply(longer(echo, 9000))],
      ['without a payload', (echo) => reply(echo, (data) => data.subarray(0, 8))],
      ['of seven bytes', (echo) => reply(echo, (data) => data.subarray(0, 7))],
      ['of no bytes', (echo) => reply(echo, () => Buffer.alloc(0))],
      ['with another identifier', (echo) => reply(changed(echo, 5))],
      ['with another sequence', (echo) => reply(changed(echo, 7))],
      ['with another cookie', (echo) => reply(changed(echo, 9))],
      ['of a stranger', (echo) => ({ ...reply(echo), from: stranger })],
      ['that is an echo request', (echo) => ({ data: echo, from: target })],
    ])('takes no reply %s', (_, answer) => {
      expect(answersTo((echo) => [answer(echo)]).answers).toEqual([]);
    });

    test('takes an error that quotes its packet, whole or the first eight bytes', () => {
      for (const bytes of [8, 180]) {
        const { answers } = answersTo((echo) => [tooBig(echo.subarray(0, bytes), 1400)]);
        expect(answers).toMatchObject([{ kind: 'error', from: router, mtu: 1400 }]);
      }
    });

    test.each<[string, (echo: Buffer) => EchoMessage]>([
      ['another identifier', (echo) => tooBig(changed(echo, 5), 1400)],
      ['another sequence', (echo) => tooBig(changed(echo, 7), 1400)],
      ['another sequence in eight bytes', (echo) => tooBig(changed(echo, 6).subarray(0, 8), 1400)],
      ['another cookie', (echo) => tooBig(changed(echo, 15), 1400)],
      ['a packet to another host', (echo) => tooBig(echo, 1400, stranger)],
      ['seven bytes', (echo) => tooBig(echo.subarray(0, 7), 1400)],
      ['nothing', () => tooBig(Buffer.alloc(0), 1400)],
    ])('takes no error that quotes %s', (_, error) => {
      expect(answersTo((echo) => [error(echo)]).answers).toEqual([]);
    });
  });

  // They wait for answers that do not come, and share nothing.
  describe.concurrent(`a test of the MTU of IPv${family}`, () => {
    const least = family === 4 ? 68 : 1280;

    test(`finds the limit behind a router that says ${least} of each packet, and names the router`, async () => {
      // Behind it is a limit that nobody tells.
      const end = await mtuEnd(1400, (echo) => [tooBig(echo, least)]);
      expect(end).toMatchObject({ result: 'limited', largestBytes: 1400, smallestLostBytes: 1401 });
      expect(end).toMatchObject({ untrue: { address: router, bytes: least } });
      expect(end).not.toHaveProperty('saidBy');
    });

    test('believes a reply, not a router that says the packet did not pass', async () => {
      const end = await mtuEnd(1500, (echo) => [tooBig(echo, 1300)]);
      expect(end).toMatchObject({ result: 'fits', largestBytes: 1500, packets: 2 });
    });

    test('heeds no limit that cannot be', async () => {
      for (const mtu of [0, 1, least - 1, 1500, 9000, 0xffff_ffff]) {
        const end = await mtuEnd(1500, (echo) => [tooBig(echo, mtu)]);
        expect([mtu, end]).toMatchObject([mtu, { result: 'fits', largestBytes: 1500, packets: 2 }]);
      }
    });

    test('is not moved by forged errors about packets that it did not send', async () => {
      const end = await mtuEnd(1500, (echo) => [
        tooBig(changed(echo, 5), 1300),
        tooBig(changed(echo, 7), 1300),
        tooBig(changed(echo, 15), 1300),
        tooBig(echo, 1300, stranger),
      ]);
      expect(end).toMatchObject({ result: 'fits', largestBytes: 1500, packets: 2 });
      expect(end).not.toHaveProperty('untrue');
    });

    test('takes no echo of the wrong size for one that passed', async () => {
      // A host that answers large echoes with as much as passes.
      const end = await mtuEnd(1400, (echo) => [reply(echo, (data) => data.subarray(0, 1000))]);
      expect(end).toMatchObject({ result: 'limited', largestBytes: 1400, smallestLostBytes: 1401 });
    });
  });

  test.concurrent(`a trace by IPv${family} is not ended by the answers of strangers`, async () => {
    const network = (echo: Buffer): EchoMessage[] => [
      { ...reply(echo), from: stranger },
      { ...tooBig(changed(echo, 9), 0), error: { by: stranger, type: 3, code: 1, mtu: 0 } },
    ];
    const hops = [];
    for await (const line of traceByEcho(echoLibc(family, 1500, network), target, signal)) {
      hops.push(line);
    }
    expect(hops).toEqual([{ type: 'end', isReached: false, triedTtl: 20 }]);
  });
}
