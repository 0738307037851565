import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { getSystemErrorName } from 'node:util';

/**
 * Writes what there is room for now, and returns how many bytes that was.
 * @throws Error with the code EAGAIN where there is no room
 */
export type Write = (bytes: Buffer) => number;

/** MSG_DONTWAIT and MSG_NOSIGNAL, as in every Linux. */
const flags = 0x40 | 0x4000;

/**
 * A writer to an open descriptor that does not wait for a slow reader, where that is a pipe or a
 * socket. The mode of the descriptor is shared with other processes and does not change. Anything else
 * is written to as it is.
 */
export async function writeWithoutWaiting(fd: number): Promise<Write> {
  const plainly = (to: number) => (bytes: Buffer) => writeSync(to, bytes);
  try {
    const found = fstatSync(fd);
    if (found.isSocket()) return await sendTo(fd);
    if (!found.isFIFO()) return plainly(fd);
    // Opened again, a pipe has a mode of its own.
    return plainly(openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch {
    return plainly(fd);
  }
}

/** A socket cannot be opened again, but each call can say that it does not wait. Node has no such call. */
async function sendTo(fd: number): Promise<Write> {
  // It takes some memory, so it is loaded only where it is needed.
  const { loadLibc } = await import('./libc.js');
  const libc = loadLibc();
  return (bytes) => {
    const sent = libc.sendto(fd, bytes, bytes.length, flags, null, 0);
    if (sent >= 0) return sent;
    const code = getSystemErrorName(-libc.errno());
    throw Object.assign(new Error(`${code}: the output was not sent`), { code });
  };
}
