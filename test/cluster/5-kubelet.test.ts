import { writeFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../lab/lib/command.js';
import { secondsSince, untilFindings, without } from './lib/agents.js';
import { containerOf, untilAnswer, untilCondition } from './lib/objects.js';
import { inNode } from './lib/place.js';
import { agentProcess, fileOfContainer, takeMemory } from './lib/pod-processes.js';
import { crash, restartsOf } from './lib/restarts.js';
import { node, nodes, prepare, tried, untilWell } from './lib/trials.js';

// What the kubelet asks an agent, and what it does then. Each on another node: it waits the longer before it starts a
// container again, the more often that one has ended.

beforeAll(() => prepare());

describe('an agent that gets a twentieth of a processor while it starts', () => {
  test('is given the time by the startup probe', async () => {
    const node1 = node(1);
    const pid = agentProcess(node1);
    // Of the pod, since the container gets another one.
    const ofContainer = fileOfContainer(pid, 'cpu.cfs_quota_us', 'cpu.max');
    const limit = join(dirname(dirname(ofContainer)), ofContainer.split('/').at(-1) ?? '');
    const before = readFileSync(limit, 'utf8');
    onTestFinished(async () => {
      writeFileSync(limit, before);
      await untilWell();
    });
    writeFileSync(limit, '5000');
    const startedMs = performance.now();
    await crash(node1, 'agent', () => process.kill(pid, 'SIGKILL'));
    const count = await restartsOf(node1, 'agent');
    await untilAnswer(
      () => containerOf('node1', 'agent'),
      (container) => container?.started === true,
    );
    tried('an agent with a twentieth of a processor: it has started', secondsSince(startedMs));
    writeFileSync(limit, before);
    await untilWell();
    expect(await restartsOf(node1, 'agent')).toBe(count);
  });
});

describe('an agent that is frozen', () => {
  test('is restarted by the kubelet, and well again', async () => {
    const node2 = node(2);
    const pid = agentProcess(node2);
    onTestFinished(() => {
      try {
        process.kill(pid, 'SIGCONT');
      } catch {
        // The kubelet has ended it.
      }
    });
    const startedMs = performance.now();
    await crash(node2, 'agent', () => process.kill(pid, 'SIGSTOP'));
    tried('an agent frozen: restarted by the kubelet', secondsSince(startedMs));
    await untilWell();
    tried('an agent frozen: four agents find nothing again', secondsSince(startedMs));
    await untilCondition('node2', 'True');
  });
});

describe('an agent whose memory has reached its limit', () => {
  test('is ended by the kernel and started by the kubelet', async () => {
    const node3 = node(3);
    const startedMs = performance.now();
    const reason = await crash(node3, 'agent', () => takeMemory(agentProcess(node3)));
    expect([undefined, 'OOMKilled']).toContain(reason);
    await untilWell();
    tried(
      'an agent ended for want of memory: four agents find nothing again',
      secondsSince(startedMs),
    );
    await untilCondition('node3', 'True');
  });
});

describe('an agent without a place to write', () => {
  test('starts all the same', async () => {
    const node4 = node(4);
    const inNode4 = async (...command: string[]) => {
      const [program, ...args] = inNode(node4, command);
      await run(program, args);
    };
    const folder = '/run/meshprobe';
    await inNode4('mount', '-t', 'tmpfs', '-o', 'size=64k', 'full', folder);
    onTestFinished(async () => {
      await inNode4('umount', folder);
      await crash(node4, 'agent', () => process.kill(agentProcess(node4), 'SIGKILL'));
      await untilWell();
    });
    await inNode4('sh', '-c', `cat /dev/zero >${folder}/filler 2>&1 || true`);
    const startedMs = performance.now();
    await crash(node4, 'agent', () => process.kill(agentProcess(node4), 'SIGKILL'));
    await untilAnswer(
      () => containerOf('node4', 'agent'),
      (container) => container?.ready === true,
    );
    tried('an agent started where the disk is full: it is ready', secondsSince(startedMs));
    // Its own socket is under the full disk, out of sight from here.
    await untilFindings(without(nodes, node4), []);
  });
});
