// Reads the figures of this host as an agent does, and prints what a reading and the monitor take. Needs --expose-gc.
import { networkInterfaces } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { hostFacts } from '../../../agent/host/facts.js';
import { HostMonitor } from '../../../agent/host/host-monitor.js';
import { OwnInterfaces } from '../../../agent/host/own-interfaces.js';
import { hostSources } from '../../../agent/host/sources.js';
import { OwnConnects } from '../../../agent/host/sources/own-connects.js';
import { PeerClocks } from '../../../agent/host/sources/peer-clocks.js';

const readings = Number(process.argv[2]);
if (!Number.isInteger(readings)) throw new Error('expected a number of readings');
/** Between two readings of an agent, and of this program. A reading is over by then. */
const [agentGapMs, gapMs] = [10_000, 50];
const warmUp = 40;

let nowMs = 0;
let beat: (() => void) | undefined;
const clock = {
  nowMs: () => nowMs,
  wallMs: () => 1.8e12 + nowMs,
  after: (_: number, callback: () => void) => {
    beat = callback;
    return () => undefined;
  },
};

async function read(times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    nowMs += agentGapMs;
    // An agent of a large mesh has 25 answers a second.
    for (let answer = 0; answer < 250; answer++) {
      const times = { sentMs: nowMs - 1 - (answer % 7), receivedMs: nowMs };
      connects.note({ sentMs: nowMs, at: nowMs, outcome: 'reply', rttNs: 1 });
      peerClocks.note(`c/n${answer}`, times, { receivedMs: clock.wallMs(), heldMs: 0 });
    }
    beat?.();
    await delay(gapMs);
  }
}

function heldBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const before = heldBytes();
const all = Object.values(networkInterfaces()).flatMap((entries = []) => entries);
const addresses = all.filter(({ internal }) => !internal).map(({ address }) => address);
const interfaces = new OwnInterfaces(() => addresses);
const from = { proc: '/proc', sys: '/sys', interfaces: () => interfaces.watched(nowMs) };
const peerClocks = new PeerClocks(clock, () => true);
const connects = new OwnConnects(clock, '/proc');
const monitor = new HostMonitor({
  clock,
  plane: 'host',
  sources: [...hostSources(from), connects, peerClocks],
  facts: hostFacts({ ...from, etc: '/etc' }),
  onNews: () => undefined,
});
monitor.start();
await read(warmUp);
const started = process.cpuUsage();
await read(readings);
const { user, system } = process.cpuUsage(started);
// What waiting takes is not of the readings.
const idle = process.cpuUsage();
for (let time = 0; time < readings; time++) await delay(gapMs);
const { user: idleUser, system: idleSystem } = process.cpuUsage(idle);
const cpuMs = (user + system - idleUser - idleSystem) / 1000 / readings;
const result = {
  readings,
  cpuMs,
  share: cpuMs / agentGapMs,
  heldBytes: heldBytes() - before,
  interfaces: from.interfaces().size,
  missing: monitor.missing().flatMap(({ signs }) => signs),
};
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
