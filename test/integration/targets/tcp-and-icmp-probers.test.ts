import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { monitorEventLoop } from '../../../agent/platform/event-loop.js';
import { openIcmpEngine } from '../../../agent/probing/icmp/engine.js';
import { listenForTest } from '../../resources/test-server.js';
import { freePort } from '../lib/free-port.js';
import { probeOnce } from './lib/probe-once.js';
import { endOf, useProbers } from './lib/probe.js';

const proberOf = useProbers();

describe('TCP', () => {
  test('a connection is a reply, and is closed', async () => {
    const server = createServer();
    const port = await listenForTest(server);
    const connected = once(server, 'connection');
    const prober = await proberOf(`tcp: "localhost:${port}"`);
    expect(await probeOnce(prober)).toMatchObject({ outcome: 'reply' });
    const [socket] = (await connected) as [Socket];
    socket.resume();
    await once(socket, 'close');
  });

  test('a port where nobody listens is refused', async () => {
    expect(await endOf(await proberOf(`tcp: "127.0.0.1:${await freePort()}"`))).toBe('refused');
  });

  test('a server whose queue is full is silent: a timeout', async () => {
    // The kernel takes no further connection once the queue of one that nobody accepts is full.
    const code = `import socket,sys
s=socket.socket(); s.bind(('127.0.0.1',0)); s.listen(0); p=s.getsockname()[1]
c=[]
for _ in range(4):
  x=socket.socket(); x.setblocking(False); x.connect_ex(('127.0.0.1',p)); c.append(x)
print(p,flush=True); sys.stdin.read()`;
    const child = spawn('python3', ['-c', code], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const prober = await proberOf(`tcp: "127.0.0.1:${line.toString().trim()}"`);
    expect(await endOf(prober, 300)).toBe('timeout');
    child.stdin.end();
    await once(child, 'exit');
  });
});

describe('ICMP', () => {
  test('loopback answers', async ({ skip }) => {
    const eventLoop = monitorEventLoop();
    const engine = await openIcmpEngine('auto', eventLoop);
    try {
      if (!('prober' in engine)) return skip(engine.unavailable);
      const prober = await proberOf('icmp: localhost', { openIcmp: () => Promise.resolve(engine) });
      expect(prober.unknownBecause).toBeUndefined();
      expect(await endOf(prober)).toBe('reply');
      prober.close();
      // The engine stays open for others.
      const other = await proberOf('icmp: 127.0.0.1', { openIcmp: () => Promise.resolve(engine) });
      expect(await endOf(other)).toBe('reply');
    } finally {
      if ('prober' in engine) engine.prober.close();
      eventLoop.stop();
    }
  });

  test('without an engine it says why it knows nothing', async () => {
    const prober = await proberOf('icmp: 127.0.0.1');
    expect(prober.unknownBecause).toBe('ICMP is not used here');
    expect(await endOf(prober)).toBe('not-sent: other: ICMP is not used here');
  });
});
