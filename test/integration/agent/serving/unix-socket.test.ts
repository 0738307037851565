import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { listenOnUnixSocket } from '../../../../agent/serving/unix-socket.js';
import { newFolder } from '../../../resources/folder.js';
import { leaveStale } from './lib/stale-socket.js';

let folder: string;
let path: string;
const servers: Server[] = [];
beforeEach(() => {
  folder = newFolder();
  path = join(folder, 'a.sock');
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

function listen(path: string, group?: string, createFolder = false): Promise<() => void> {
  const server = createServer((socket) => socket.on('error', () => undefined).end('hello'));
  servers.push(server);
  return listenOnUnixSocket(server, { path, createFolder, group });
}

async function read(path: string): Promise<string> {
  const [data] = (await once(connect(path), 'data')) as [Buffer];
  return data.toString();
}

describe('listenOnUnixSocket', () => {
  test('makes a socket for owner and group only, and no other file', async () => {
    await listen(path);
    expect(statSync(path).mode & 0o777).toBe(0o660);
    expect(readdirSync(folder)).toEqual(['a.sock']);
    expect(await read(path)).toBe('hello');
  });

  test('removes its own socket and no other', async () => {
    const remove = await listen(path);
    remove();
    expect(existsSync(path)).toBe(false);
    await listen(path);
    remove();
    expect(await read(path)).toBe('hello');
  });

  test('replaces a stale socket', async () => {
    leaveStale(path);
    expect(existsSync(path)).toBe(true);
    await listen(path);
    expect(await read(path)).toBe('hello');
    expect(readdirSync(folder)).toEqual(['a.sock']);
  });

  test('refuses a live socket and leaves it as it is', async () => {
    await listen(path);
    await expect(listen(path)).rejects.toThrow(`socket-path: an agent already answers on ${path}`);
    expect(await read(path)).toBe('hello');
    expect(readdirSync(folder)).toEqual(['a.sock']);
  });

  test('lets one of many simultaneous starts win, also over a stale socket', async () => {
    leaveStale(path);
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => listen(path)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await read(path)).toBe('hello');
    expect(readdirSync(folder)).toEqual(['a.sock']);
  });

  test('refuses a directory and a regular file, and leaves them', async () => {
    await expect(listen(folder)).rejects.toThrow('is a directory');
    writeFileSync(path, 'precious');
    await expect(listen(path)).rejects.toThrow('exists and is no socket');
    expect(existsSync(path)).toBe(true);
  });

  test('refuses a path that is too long, and accepts the longest possible path', async () => {
    const room = 107 - Buffer.byteLength(folder) - 1;
    await expect(listen(join(folder, 'x'.repeat(room + 1)))).rejects.toThrow(
      'expected at most 107 bytes, got 108',
    );
    await listen(join(folder, 'x'.repeat(room)));
    expect(await read(join(folder, 'x'.repeat(room)))).toBe('hello');
  });

  test('accepts a short name in a folder whose path leaves no room for a longer one', async () => {
    const deep = join(folder, 'd'.repeat(107 - Buffer.byteLength(folder) - 1 - 3));
    mkdirSync(deep);
    await listen(join(deep, 's1'));
    expect(await read(join(deep, 's1'))).toBe('hello');
  });

  test('creates the folder of the default path only', async () => {
    const inNew = join(folder, 'new', 'a.sock');
    await expect(listen(inNew)).rejects.toThrow(`there is no folder ${join(folder, 'new')}`);
    await listen(inNew, undefined, true);
    expect(await read(inNew)).toBe('hello');
  });

  test('gives the socket to a group, and refuses an unknown group', async () => {
    const own = String(process.getgid?.() ?? 0);
    await listen(path, own);
    expect(statSync(path).gid).toBe(Number(own));
    await expect(listen(join(folder, 'b.sock'), 'no-such-group')).rejects.toThrow(
      'expected a group of this host',
    );
    expect(readdirSync(folder)).toEqual(['a.sock']);
  });

  test('tells a folder that was removed and is still open from one without permission', async () => {
    const removed = join(folder, 'removed');
    mkdirSync(removed);
    const fd = openSync(removed, 'r');
    onTestFinished(() => closeSync(fd));
    rmdirSync(removed);
    await expect(listen(`/proc/self/fd/${fd}/a.sock`)).rejects.toThrow(
      `cannot create /proc/self/fd/${fd}/a.sock: its folder was removed`,
    );
  });

  test('names a folder in which it may not write', async () => {
    chmodSync(folder, 0o555);
    await asNobody(async () => {
      await expect(listen(path)).rejects.toThrow(
        `cannot create ${path}: no permission to write to its folder`,
      );
    });
    chmodSync(folder, 0o700);
  });
});

/** Root may do anything. So if root runs the tests, another user tries what is not allowed. */
async function asNobody(action: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65534);
  try {
    await action();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
