import type { Socket } from 'node:net';

/** The descriptor of an open socket. Node keeps it in the socket's handle and has no public name for it. */
export function descriptorOf(socket: Socket): number | undefined {
  const { _handle: handle } = socket as { _handle?: { fd?: unknown } | null };
  return typeof handle?.fd === 'number' && handle.fd >= 0 ? handle.fd : undefined;
}
