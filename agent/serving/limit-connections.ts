import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Above this number of connections one is closed for each new one, so that no client can hold them
 * all. It is the one that has waited longest for a request, or the oldest if each has a request
 * under way.
 */
export function limitConnections(server: Server, maxConnections: number): void {
  // Connections without a request under way, longest idle first.
  const idle = new Set<Socket>();
  // The number of requests under way on each of the others.
  const busy = new Map<Socket, number>();
  const [oldestIdle, oldestBusy] = [() => idle.values().next(), () => busy.keys().next()];
  server.on('connection', (socket) => {
    if (idle.size + busy.size >= maxConnections) {
      const { value: oldest } = idle.size > 0 ? oldestIdle() : oldestBusy();
      idle.delete(oldest as Socket);
      busy.delete(oldest as Socket);
      oldest?.destroy();
    }
    idle.add(socket);
    socket.once('close', () => {
      idle.delete(socket);
      busy.delete(socket);
    });
  });
  server.prependListener('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    if (socket.destroyed) return;
    idle.delete(socket);
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
    answer.once('close', () => {
      const left = (busy.get(socket) ?? 0) - 1;
      if (left > 0) busy.set(socket, left);
      else if (busy.delete(socket)) idle.add(socket);
    });
  });
}
