import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A listener that disconnects a client with more unanswered requests than this on one connection.
 * Node parses all requests of a chunk in one turn of the event loop, up to 1,600 of them, and keeps
 * an answer for each.
 */
export function limitPipelining(listener: RequestListener, maxUnanswered: number): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    // The other requests of the chunk still arrive here.
    if (socket.destroyed) return;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > maxUnanswered) {
      socket.destroy();
      return;
    }
    unanswered.set(socket, count);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    listener(request, response);
  };
}
