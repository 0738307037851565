import { beforeAll, describe, onTestFinished, test } from 'vitest';
import { run } from '../lab/lib/command.js';
import { findingsOf, secondsSince } from './lib/agents.js';
import { list, untilAnswer } from './lib/objects.js';
import { inNode } from './lib/place.js';
import { nodes, prepare, tried, untilWell } from './lib/trials.js';

// The last one: losses count for ten minutes, so its finding stays for as long.

beforeAll(() => prepare());

describe('one of the two pods of CoreDNS', () => {
  test('answers nothing, and Kubernetes calls it ready: the DNS of the cluster is lossy', async () => {
    const [broken] = await list('pods', '-n', 'kube-system', '-l', 'k8s-app=kube-dns');
    const host = nodes.find(({ name }) => name === broken?.spec?.nodeName);
    const address = broken?.status?.podIP;
    if (!host || address === undefined) throw new Error('expected a pod of CoreDNS on a node');
    const nft = async (command: string) => {
      const [program, ...args] = inNode(host, ['nft', ...command.split(' ')]);
      await run(program, args);
    };
    onTestFinished(async () => {
      await nft('delete table inet trial');
      await untilWell();
    });
    await nft('add table inet trial');
    await nft('add chain inet trial out { type filter hook postrouting priority -200 ; }');
    // What its kubelet asks, by another port, is answered.
    await nft(`add rule inet trial out ip daddr ${address} udp dport 53 drop`);
    const startedMs = performance.now();
    await untilAnswer(
      () => Promise.all(nodes.map(findingsOf)),
      (all) =>
        all.every((findings) =>
          findings.some(({ kind, target }) => kind === 'target-lossy' && target === 'cluster-dns'),
        ),
    );
    tried(
      'one of two pods of CoreDNS answers nothing: four agents say target-lossy',
      secondsSince(startedMs),
    );
  });
});
