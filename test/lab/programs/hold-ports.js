// Takes all local ports of a range, and gives them back once a file is removed: `hold-ports.js FIRST LAST FILE`.
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { createServer } from 'node:net';
import process from 'node:process';

const [first = '', last = '', file = ''] = process.argv.slice(2);
const removed = new Promise((resolve) => {
  const watcher = watch(file, () => {
    if (existsSync(file)) return;
    watcher.close();
    resolve(undefined);
  });
});
const servers = [];
for (let port = Number(first); port <= Number(last); port++) {
  const server = createServer().listen(port);
  await once(server, 'listening');
  servers.push(server);
}
await removed;
for (const server of servers) server.close();
