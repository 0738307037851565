import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  type Stats,
} from 'node:fs';
import { connect, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { maxSocketPathBytes } from '../../api/socket-path-length.js';
import { codeOf, messageOf, StartError } from '../platform/errors.js';
import { formatValue } from '../platform/format-value.js';
import { groupId } from './group-id.js';
import { removeStaleSockets } from './stale-sockets.js';

const mode = 0o660;

export interface UnixSocketOptions {
  readonly path: string;
  /** The folder of a default path is created, that of a chosen one must exist. */
  readonly createFolder: boolean;
  readonly group: string | undefined;
}

/**
 * Makes a server listen on a unix socket. The socket appears under its name with its mode and group
 * already set. A stale socket is replaced; a live socket, or anything else at that path, is
 * refused. Returns a function that removes the socket if it is still the same one.
 * @throws StartError with the path and what to do, ConfigError for a group that is none
 */
export async function listenOnUnixSocket(
  server: Server,
  options: UnixSocketOptions,
): Promise<() => void> {
  const { path } = options;
  if (Buffer.byteLength(path) > maxSocketPathBytes || path.includes('\0')) {
    throw new StartError(
      `socket-path: expected at most ${maxSocketPathBytes} bytes, got ${Buffer.byteLength(path)} in ${formatValue(path)}; choose a shorter --socket-path`,
    );
  }
  const gid = options.group === undefined ? undefined : groupId(options.group);
  const folder = dirname(path);
  prepareFolder(folder, options);
  await refuseUnlessFree(path);
  await removeStaleSockets(folder, async (left) => (await probeSocket(left)) === 'stale');
  // It is bound under another name first, so that no client meets a socket without its mode.
  const temporary = join(folder, temporaryName(folder));
  await listen(server, temporary, options);
  try {
    chmodSync(temporary, mode);
    if (gid !== undefined) chownSync(temporary, -1, gid);
    const own = lstatSync(temporary);
    await publish(temporary, path);
    return () => {
      if (sameFile(statOf(path), own)) unlinkSync(path);
    };
  } catch (error) {
    server.close();
    throw error instanceof StartError
      ? error
      : new StartError(`socket-path: ${path}: ${messageOf(error)}`);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Gives the bound socket its name. If two agents start at once, the second finds the first one
 * live.
 */
async function publish(temporary: string, path: string): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      linkSync(temporary, path);
      return;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    const stale = await refuseUnlessFree(path);
    if (!stale) continue;
    const aside = `${temporary}~`;
    renameSync(path, aside);
    if (sameFile(statOf(aside), stale)) rmSync(aside);
    else renameSync(aside, path);
  }
  throw new StartError(`socket-path: ${path}: another agent is starting there`);
}

/** Resolves with the stale socket at the path, or undefined where there is nothing. */
async function refuseUnlessFree(path: string): Promise<Stats | undefined> {
  const there = statOf(path);
  if (there === undefined) return undefined;
  if (there.isDirectory())
    throw new StartError(`socket-path: ${path} is a directory, expected a path for a socket in it`);
  if (!there.isSocket())
    throw new StartError(
      `socket-path: ${path} exists and is no socket; remove it or choose another --socket-path`,
    );
  switch (await probeSocket(path)) {
    case 'live':
      throw new StartError(
        `socket-path: an agent already answers on ${path}; stop it or choose another --socket-path`,
      );
    case 'denied':
      throw new StartError(
        `socket-path: ${path} belongs to another user; remove it or choose another --socket-path`,
      );
    case 'stale':
      return there;
  }
}

function probeSocket(path: string): Promise<'live' | 'stale' | 'denied'> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const answer = (found: 'live' | 'stale' | 'denied'): void => {
      socket.destroy();
      resolve(found);
    };
    socket.once('connect', () => answer('live'));
    socket.once('error', (error) => {
      const code = codeOf(error) ?? '';
      if (code === 'EACCES' || code === 'EPERM') answer('denied');
      // A full backlog (EAGAIN) also means a live process.
      else answer(['ECONNREFUSED', 'ENOENT'].includes(code) ? 'stale' : 'live');
    });
  });
}

function prepareFolder(folder: string, { path, createFolder }: UnixSocketOptions): void {
  try {
    if (createFolder) makeFolder(folder);
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is no directory`);
  } catch (error) {
    const code = codeOf(error);
    const why =
      code === 'ENOENT'
        ? `there is no folder ${folder}`
        : code === 'EACCES'
          ? `no permission for ${folder}`
          : messageOf(error);
    throw new StartError(
      `socket-path: cannot create ${path}: ${why}; create it or choose another --socket-path`,
    );
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    // Node says so of a read-only file system too; without the option it says what is wrong.
    mkdirSync(folder, { mode: 0o755 });
  }
}

function listen(server: Server, temporary: string, { path }: UnixSocketOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error): void => {
      const why = codeOf(error) === 'EACCES' ? whyRefused(dirname(path)) : error.message;
      reject(
        new StartError(`socket-path: cannot create ${path}: ${why}; choose another --socket-path`),
      );
    };
    server.once('error', refuse);
    server.listen(temporary, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}

/** Node reports a folder that is not there by the same code. One that was removed may still be mounted here. */
function whyRefused(folder: string): string {
  const isRemoved = statSync(folder, { throwIfNoEntry: false })?.nlink === 0;
  return isRemoved ? 'its folder was removed' : 'no permission to write to its folder';
}

/** Socket paths are short, so the temporary name is cut to fit. */
function temporaryName(folder: string): string {
  const room = maxSocketPathBytes - Buffer.byteLength(folder) - 1;
  return `.${randomBytes(5).toString('hex')}`.slice(0, Math.max(room, 1));
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function sameFile(a: Stats | undefined, b: Stats): boolean {
  return a?.ino === b.ino && a.dev === b.dev;
}
