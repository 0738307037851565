// Node loads this into each agent before the agent's own program (`NODE_OPTIONS=--import`), so that
// the product needs no code for it. On SIGUSR2 it writes what keeps the event loop alive, and the
// heap, to a file of SOAK_FOLDER. The first file says that the signal may be sent.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

const folder = process.env['SOAK_FOLDER'];
const [, program = '', command] = process.argv;
const isAgent = program.endsWith('dist/agent/main.js') && command !== 'responder';

if (folder !== undefined && isAgent && isMainThread) {
  const path = join(folder, `handles-${process.pid}.json`);
  const tell = () => {
    const resources = process.getActiveResourcesInfo();
    const isTimer = (/** @type {string} */ name) => name === 'Timeout' || name === 'Immediate';
    const timers = resources.filter(isTimer).length;
    const heap = process.memoryUsage().heapUsed / 1e6;
    writeFileSync(
      `${path}.next`,
      JSON.stringify({ timers, handles: resources.length - timers, heap }),
    );
    renameSync(`${path}.next`, path);
  };
  process.on('SIGUSR2', tell);
  tell();
}
