import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../lab/lib/command.js';
import { findingsOf, secondsSince, sentences, untilFindings } from './lib/agents.js';
import { kubectl, startApiServer, untilApiServerIsReady } from './lib/control-plane.js';
import { inNode } from './lib/place.js';
import { startKubeProxy } from './lib/node.js';
import { agentProcess } from './lib/pod-processes.js';
import { pods, untilAnswer } from './lib/objects.js';
import { signalProgram } from './lib/spawn.js';
import { node, nodes, prepare, tried, untilWell } from './lib/trials.js';

// What pods live on: service routing, DNS, the API server.

beforeAll(() => prepare());

const node2 = node(2);

async function nft(command: string): Promise<void> {
  const [program, ...args] = inNode(node2, ['nft', ...command.split(' ')]);
  await run(program, args);
}

describe('kube-proxy of a node', () => {
  test('is named, if it has ended and its table is gone', async () => {
    onTestFinished(async () => {
      startKubeProxy(node2);
      await untilWell();
    });
    await signalProgram('kube-proxy-node2', 'SIGKILL');
    await nft('delete table ip kube-proxy');
    const startedMs = performance.now();
    await untilFindings(nodes, ['target-unreachable service node2']);
    tried(
      'kube-proxy of a node gone: four agents say that its service routing is broken',
      secondsSince(startedMs),
    );
    const [finding] = await findingsOf(node(1));
    expect(finding?.text).toContain('so it is the service routing of that node');
    expect([...(finding?.targets ?? [])].sort()).toEqual(['api-server', 'cluster-dns', 'service']);
  });
});

describe('the DNS of the cluster', () => {
  const scale = async (replicas: number) => {
    await kubectl(['-n', 'kube-system', 'scale', 'deploy/coredns', `--replicas=${replicas}`]);
    await kubectl(['-n', 'kube-system', 'rollout', 'status', 'deploy/coredns', '--timeout=120s']);
  };

  test('is named with its Service, if it has no pod', async () => {
    onTestFinished(async () => {
      await scale(2);
      await untilWell();
    });
    await scale(0);
    const startedMs = performance.now();
    await untilFindings(nodes, ['target-down cluster-dns']);
    tried('CoreDNS scaled to zero: four agents say target-down', secondsSince(startedMs));
    // Its pods end within seconds, and until then they answer nothing.
    await untilAnswer(
      () => sentences(node(1)),
      (all) => all.some((text) => text.includes('its Service has no endpoint that is ready')),
    );
    tried('CoreDNS scaled to zero: the finding names the Service', secondsSince(startedMs));
  });

  test('is named for the pods of a node, if these alone do not reach it', async () => {
    onTestFinished(async () => {
      await nft('delete table inet trial');
      await untilWell();
    });
    await nft('add table inet trial');
    await nft('add chain inet trial forward { type filter hook forward priority -200 ; }');
    await nft('add rule inet trial forward ip saddr 10.244.2.0/24 udp dport 53 drop');
    const startedMs = performance.now();
    await untilFindings(nodes, ['target-unreachable cluster-dns node2 endpoint']);
    tried('DNS filtered for the pods of a node: four agents say so', secondsSince(startedMs));
    const [finding] = await findingsOf(node(1));
    expect(finding?.text).toMatch(
      /^pods of default\/node2 cannot reach cluster-dns; the node itself can/,
    );
  });
});

describe('the API server', () => {
  test('is named while it is away, and an agent that starts meanwhile goes on with the others', async () => {
    // A kubelet stops following what pods have in their environment alone when nobody asked for it for a while.
    await untilAnswer(
      () => pods(undefined, 'agent'),
      (all) =>
        all.every(({ status }) =>
          status?.containerStatuses?.every(({ state }) => {
            const startedAt = Date.parse(state?.running?.startedAt ?? '');
            return Date.now() - startedAt > idleMs;
          }),
        ),
      idleMs + 60_000,
    );
    let isAway = true;
    onTestFinished(async () => {
      if (isAway) startApiServer();
      await untilApiServerIsReady();
    });
    await signalProgram('kube-apiserver', 'SIGKILL');
    const startedMs = performance.now();
    await untilFindings(nodes, ['target-down api-server']);
    tried('API server killed: four agents say target-down', secondsSince(startedMs));
    const [finding] = await findingsOf(node(1));
    expect(finding?.text).toContain('most likely no API server is running');

    const old = agentProcess(node2);
    process.kill(old, 'SIGKILL');
    const killedMs = performance.now();
    // The trials of DNS may have left what is lossy, which is not counted here.
    await untilAnswer(
      () => Promise.resolve(agentProcess(node2)),
      (pid) => pid !== old,
    );
    await untilFindings([node2], ['target-down api-server']);
    tried('an agent killed meanwhile: it runs again and says the same', secondsSince(killedMs));
    await untilFindings(nodes, ['target-down api-server']);

    startApiServer();
    await untilApiServerIsReady();
    isAway = false;
    const backMs = performance.now();
    await untilWell();
    tried('API server back: four agents find nothing', secondsSince(backMs));
  });
});

/** Longer than the kubelets of these nodes follow what nobody asks for: five times their syncFrequency and a minute. */
const idleMs = 180_000;
