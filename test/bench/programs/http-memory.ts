// Asks each of so many nodes once by one strategy, and prints what the process then holds. Needs --expose-gc.
import { clusterOf } from '../environment/cluster.js';
import { strategyNames, strategies } from '../strategies.js';

const [name = '', port = '', nodes = ''] = process.argv.slice(2);
const wayName = strategyNames.find((each) => each === name);
if (!wayName) throw new Error(`expected one of ${strategyNames.join(', ')}, got ${name}`);
const way = await strategies[wayName]();
/** As many GETs are under way at once. */
const atOnce = 100;

const hosts = clusterOf(Number(nodes)).map(({ host }) => host);
let next = 0;
let failures = 0;
async function askAll(): Promise<void> {
  while (next < hosts.length) {
    try {
      await way(hosts[next++] ?? '', Number(port));
    } catch {
      failures++;
    }
  }
}
await Promise.all(Array.from({ length: atOnce }, askAll));
// What an ended exchange held is free after its socket has closed.
await new Promise((resolve) => setTimeout(resolve, 500));
globalThis.gc?.();
const { heapUsed, external } = process.memoryUsage();
process.stdout.write(`${JSON.stringify({ heapBytes: heapUsed + external, failures })}\n`);
process.exit(0);
