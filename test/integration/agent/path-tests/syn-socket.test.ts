import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SynSocket } from '../../../../agent/path-tests/sockets/syn-socket.js';
import { loadLibc } from '../../../../agent/platform/libc.js';
import { lacksFamilyOf } from '../../../../agent/probing/host-families.js';

test.each(['127.0.0.1', '::1'])(
  'a peer that closes or resets what it took has answered: %s',
  async (ip) => {
    if (lacksFamilyOf(ip)) return;
    const acts: ((socket: Socket) => unknown)[] = [
      () => undefined,
      (socket) => socket.end(),
      (socket) => socket.resetAndDestroy(),
    ];
    for (const act of acts) {
      const server = createServer().listen(0, ip);
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      const syn = new SynSocket(loadLibc(), ip, 0);
      onTestFinished(() => syn.close());
      const connected = once(server, 'connection');
      syn.connect(ip, (server.address() as AddressInfo).port, 64, 0);
      const [socket] = (await connected) as [Socket];
      socket.on('error', () => undefined);
      act(socket);
      // What the peer did is there now, before the first look.
      await new Promise((resolve) => setImmediate(resolve));
      const answer = await vi.waitFor(() => {
        const one = syn.answer();
        expect(one).toBeDefined();
        return one;
      }, 2000);
      expect(answer).toMatchObject({ kind: 'target', isRefused: false });
      expect(answer?.kind === 'target' && answer.rttNs).toBeGreaterThan(0);
    }
  },
);
