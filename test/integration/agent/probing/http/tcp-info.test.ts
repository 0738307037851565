import { once } from 'node:events';
import { connect, createServer, Socket } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { openTcpInfo } from '../../../../../agent/probing/http/tcp-info.js';
import { listen } from '../../../../resources/listen.js';

const readTcpInfo = await openTcpInfo();

describe('TCP_INFO', () => {
  beforeEach(({ skip }) => {
    if (process.platform !== 'linux') skip('TCP_INFO is read on Linux only');
  });

  test.each(['127.0.0.1', '::1'])(
    'of a connection to %s has its RTT, and no retransmission',
    async (host) => {
      const server = createServer();
      const socket = connect(await listen(server, 0, host), host);
      await once(socket, 'connect');
      const info = readTcpInfo(socket);
      expect(info?.retransmissions).toBe(0);
      // The kernel counts in microseconds. An RTT on loopback is shorter than TCP's initial timeout
      // of one second.
      expect(info?.rttNs).toBeGreaterThan(0);
      expect(info?.rttNs).toBeLessThan(1e9);
      expect((info?.rttNs ?? 1) % 1000).toBe(0);
      socket.destroy();
      server.close();
      expect(readTcpInfo(socket)).toBeUndefined();
    },
  );

  test('is undefined for a socket that was never opened', () => {
    expect(readTcpInfo(new Socket())).toBeUndefined();
  });

  test('is undefined for a socket that is no TCP connection', async () => {
    const server = createServer().listen(`\0tcp-info-${process.pid}`);
    await once(server, 'listening');
    const socket = connect(`\0tcp-info-${process.pid}`);
    await once(socket, 'connect');
    expect(readTcpInfo(socket)).toBeUndefined();
    socket.destroy();
    server.close();
  });
});
