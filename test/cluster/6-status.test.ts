import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../resources/program.js';
import { secondsSince, untilFindings } from './lib/agents.js';
import { kubectl } from './lib/control-plane.js';
import { setLink } from './lib/network.js';
import { conditionOf, mayAgents, untilAnswer } from './lib/objects.js';
import { nodes, prepare, tried, untilWell } from './lib/trials.js';

// What the mesh writes by quorum, and what the plug-in of kubectl makes of the agents.

beforeAll(() => prepare());

test('the agents may write Events in the namespace default, and in no other', async () => {
  for (const verb of ['create', 'patch']) {
    const may = ['default', 'meshprobe', 'kube-system'].map((namespace) =>
      mayAgents(verb, 'events.events.k8s.io', namespace),
    );
    expect(await Promise.all(may)).toEqual(['yes', 'no', 'no']);
  }
  expect(await mayAgents('create', 'events', 'default')).toBe('no');
});

describe('two of four nodes cut off', () => {
  test('leave no quorum, so no condition becomes False', async () => {
    const cut = nodes.slice(2);
    onTestFinished(async () => {
      for (const node of cut) await setLink(node, 'up');
      await untilWell();
    });
    for (const node of cut) await setLink(node, 'down');
    const startedMs = performance.now();
    await untilFindings(nodes.slice(0, 2), (found) => found.length > 0);
    tried('two of four nodes cut off: the other two find something', secondsSince(startedMs));
    // Kubernetes has said so by then, which takes longer than a condition does.
    await untilAnswer(
      async () =>
        Promise.all(cut.map(async ({ name }) => (await conditionOf(name, 'Ready'))?.status)),
      (all) => all.every((status) => status !== 'True'),
    );
    const found = await Promise.all(
      nodes.map(async ({ name }) => (await conditionOf(name, 'MeshprobeNetworkHealthy'))?.status),
    );
    expect(found).not.toContain('False');
  });
});

describe('kubectl meshprobe', () => {
  test('ends with the exit code of the CLI', async () => {
    // Once nothing is found any more of the nodes that were cut off, some paths are still to be probed.
    const code = async () => (await runCommand('kubectl', ['meshprobe', 'diagnose'])).code;
    await expect.poll(code, { timeout: 180_000, interval: 1000 }).toBe(0);
    expect(await runCommand('kubectl', ['meshprobe', 'diagnose', 'nowhere'])).toMatchObject({
      code: 2,
    });
    expect(await runCommand('kubectl', ['meshprobe', 'no-such-command'])).toMatchObject({
      code: 2,
    });
    expect(await runCommand('kubectl', ['meshprobe', '-n', 'nowhere', 'diagnose'])).toMatchObject({
      code: 3,
    });
  });

  test('says what is found, with exit code 4', async () => {
    const scale = (replicas: number) =>
      kubectl(['-n', 'kube-system', 'scale', 'deploy/coredns', `--replicas=${replicas}`]);
    onTestFinished(async () => {
      await scale(2);
      await untilWell();
    });
    await scale(0);
    await untilFindings(nodes, ['target-down cluster-dns']);
    const { code, stdout } = await runCommand('kubectl', [
      'meshprobe',
      '--node',
      'node2',
      'diagnose',
    ]);
    expect([code, stdout]).toEqual([4, expect.stringContaining('reach cluster-dns')]);
  });

  test('shows the page through a forwarded port', async () => {
    const child = spawn('kubectl', ['meshprobe', 'page'], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGTERM'));
    let url = '';
    for await (const line of createInterface(child.stdout)) {
      url = /http:\/\/\S+/.exec(line)?.[0] ?? '';
      if (url !== '') break;
    }
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('meshprobe')]);
    // Ctrl-C reaches kubectl too, from the terminal; SIGTERM is passed on.
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([130, null]);
  });
});
