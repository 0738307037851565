// Sends groups of GETs by one strategy at a fixed interval. It prints the cost of one GET.
import { clusterOf } from '../environment/cluster.js';
import { strategyNames, strategies } from '../strategies.js';

const [name = '', port = '', group = '', everyMs = '', seconds = ''] = process.argv.slice(2);
const wayName = strategyNames.find((each) => each === name);
if (!wayName) throw new Error(`expected one of ${strategyNames.join(', ')}, got ${name}`);
const way = await strategies[wayName]();

/** After this time the code that runs often is compiled. */
const warmUpMs = 1500;

const nodes = clusterOf(1000);
let next = 0;
let failures = 0;
let sent = 0;

async function probe(): Promise<void> {
  const ip = nodes[next++ % nodes.length]?.host ?? '';
  try {
    await way(ip, Number(port));
  } catch {
    failures++;
  }
}

const startedMs = performance.now();
let groups = 0;
let warm: { readonly cpu: NodeJS.CpuUsage; readonly sent: number } | undefined;
const timer = setInterval(() => {
  const elapsedMs = performance.now() - startedMs;
  if (elapsedMs >= warmUpMs) warm ??= { cpu: process.cpuUsage(), sent };
  if (elapsedMs >= warmUpMs + Number(seconds) * 1000) {
    clearInterval(timer);
    report();
    return;
  }
  // Timers are late and count whole milliseconds. The loop catches up, to keep the wanted rate.
  for (; groups * Number(everyMs) <= elapsedMs; groups++) {
    for (let each = 0; each < Number(group); each++) {
      sent++;
      void probe();
    }
  }
}, Number(everyMs));

function report(): void {
  const { user, system } = process.cpuUsage(warm?.cpu);
  const cpuMsPerProbe = (user + system) / 1000 / (sent - (warm?.sent ?? 0));
  process.stdout.write(`${JSON.stringify({ cpuMsPerProbe, failures })}\n`);
  process.exit(0);
}
