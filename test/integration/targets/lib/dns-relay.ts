import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A server in front of another one, by UDP. */
export interface DnsRelay {
  readonly port: number;
  /** Milliseconds by which answers are late; Infinity: they are lost. */
  delayMs: number;
  /** The ports from which queries came. */
  readonly sources: number[];
  close(): void;
}

/** Starts a relay that makes a real server slow, or silent. */
export async function startRelay(serverPort: number): Promise<DnsRelay> {
  const front = createSocket('udp4');
  const timers = new Set<NodeJS.Timeout>();
  const relay = { port: 0, delayMs: 0, sources: [] as number[], close };
  front.on('message', (query, from) => {
    relay.sources.push(from.port);
    const back = createSocket('udp4');
    back.once('message', (answer) => {
      back.close();
      if (relay.delayMs === Infinity) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        front.send(answer, from.port, from.address);
      }, relay.delayMs);
      timers.add(timer);
    });
    back.send(query, serverPort, '127.0.0.1');
  });
  function close(): void {
    for (const timer of timers) clearTimeout(timer);
    front.close();
  }
  front.bind(0, '127.0.0.1');
  await once(front, 'listening');
  relay.port = front.address().port;
  return relay;
}
