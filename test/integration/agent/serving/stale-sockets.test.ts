import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listenOnUnixSocket } from '../../../../agent/serving/unix-socket.js';
import { newFolder } from '../../../resources/folder.js';
import { leaveStale } from './lib/stale-socket.js';

let folder: string;
const servers: Server[] = [];
beforeEach(() => (folder = newFolder()));
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listening(name: string): Promise<void> {
  const server = createServer().listen(join(folder, name));
  servers.push(server);
  await once(server, 'listening');
}

function makeOld(...names: string[]): void {
  for (const name of names) utimesSync(join(folder, name), 1, 1);
}

test('a start removes only the files of agents that were killed while starting', async () => {
  const stale = ['.0123456789', '.abcdef0123~', '.00000000ff', 'other.sock'];
  for (const name of stale) leaveStale(join(folder, name));
  await listening('.1111111111');
  writeFileSync(join(folder, '.2222222222'), 'a file');
  makeOld('.0123456789', '.abcdef0123~', 'other.sock', '.1111111111', '.2222222222');
  servers.push(createServer());
  await listenOnUnixSocket(servers.at(-1) ?? createServer(), {
    path: join(folder, 'a.sock'),
    createFolder: false,
    group: undefined,
  });
  // These stay: a young one, a live one, a plain file, and files with other names.
  expect(readdirSync(folder).toSorted()).toEqual(
    ['.00000000ff', '.1111111111', '.2222222222', 'a.sock', 'other.sock'].toSorted(),
  );
});
