import type { Server, Socket } from 'node:net';

/** Past that number of connections the oldest gives way to the new, so that no one can hold them all. */
export function evictOldest(server: Server, maxConnections: number): void {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    const [oldest] = connections;
    if (connections.size > maxConnections) oldest?.destroy();
  });
}
