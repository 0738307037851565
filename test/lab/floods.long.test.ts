import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, describe, onTestFailed, test } from 'vitest';
import type { Place } from './lib/cells.js';
import { brokenOnly, reachableSince } from './lib/checks.js';
import * as faults from './lib/faults.js';
import { createLab, type Lab } from './lib/lab.js';
import type { Family, Host } from './lib/plan.js';
import { missingFor } from './lib/requirements.js';
import { waitFor } from './lib/wait-for.js';

const program = join(import.meta.dirname, 'programs/flood-icmp.js');
const floodSeconds = 30;

/**
 * Sends ICMP from a host to its own address until it is stopped. Resolves when the flood has begun.
 */
async function flood(host: Host, perSecond: number): Promise<() => Promise<void>> {
  const command = [process.execPath, program, host.nodeIp, `${perSecond}`, `${floodSeconds}`];
  const child = spawn('ip', ['netns', 'exec', host.namespace, ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'readable');
  const ended = once(child, 'exit');
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}

describe.each<[Family, number, string]>([
  [6, 10, '10 ICMPv6 packets a second with a wrong checksum'],
  [4, 300_000, '300,000 echo replies a second for another process'],
])('a cluster over IPv%i', (family, perSecond, what) => {
  const missing = missingFor(family);
  let lab: Lab;

  beforeAll(async () => {
    if (missing !== undefined) return;
    lab = await createLab({ hosts: 3, family });
    return () => lab.close();
  });

  test(`a host sees another one die under ${what}`, async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    const agents = await lab.startAgents();
    onTestFailed(() => console.error(agents.logs()));
    // The flooded host has a raw socket. Another host dies.
    const [n2, n3] = [lab.host('n2'), lab.host('n3')];
    const touchesN3 = ({ source, target }: Place): boolean =>
      source !== target && (source === 'n3' || target === 'n3');
    try {
      await waitFor(agents, reachableSince(Date.now()));
      const end = await flood(n2, perSecond);
      try {
        await faults.cutOff(lab, n3);
        await waitFor(agents, brokenOnly(touchesN3, Date.now()));
      } finally {
        await end();
      }
    } finally {
      await agents.stop();
    }
  });
});
