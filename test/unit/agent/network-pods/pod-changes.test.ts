import { describe, expect, test } from 'vitest';
import { ChangeLog } from '../../../../agent/host/change-log.js';
import { changeText } from '../../../../agent/model/host-words.js';
import type { NetworkPod, PodContainer } from '../../../../agent/network-pods/network-pod.js';
import { PodChanges } from '../../../../agent/network-pods/pod-changes.js';

const container = (more: Partial<PodContainer> = {}): PodContainer => ({
  name: 'kube-proxy',
  version: 'v1.34.1',
  runs: 'a',
  sinceAt: 1000,
  restarts: 0,
  ...more,
});
const pod = (uid: string, ...containers: Partial<PodContainer>[]): NetworkPod => ({
  change: 'kube-proxy-pod',
  name: 'kube-proxy',
  uid,
  containers: containers.map(container),
});
const ended = { runs: undefined };

/** The words of all that changes while the pods of a node are these, one after the other. */
function told(...readings: readonly (readonly NetworkPod[])[]): string[] {
  const changes = new PodChanges();
  return readings.flatMap((pods) =>
    changes.take(pods).map((change) => `${changeText(change)} at ${change.at}`),
  );
}

describe('what changes of a pod', () => {
  test('is nothing at first, and while it goes on', () => {
    expect(told([pod('1', {})], [pod('1', {})], [pod('1', { sinceAt: 2000 })])).toEqual([]);
    expect(told([], [], [pod('1', ended)])).toEqual([]);
  });

  test('is that it stops and is replaced, in either order', () => {
    const next = pod('2', { runs: 'b', version: 'v1.34.4', sinceAt: 9000 });
    const replaced = 'kube-proxy was replaced (v1.34.1 to v1.34.4) at 9000';
    expect(told([pod('1', {})], [next])).toEqual([replaced]);
    expect(told([pod('1', {})], [pod('1', {}), next], [next])).toEqual([replaced]);
    expect(told([pod('1', {})], [], [pod('2', ended)], [next])).toEqual([
      'kube-proxy stopped (v1.34.1) at undefined',
      replaced,
    ]);
    const stopped = pod('1', { ...ended, sinceAt: 7000 });
    const pending = pod('2', { ...ended, sinceAt: undefined });
    expect(told([pod('1', {})], [stopped], [stopped, pending], [pending], [next])).toEqual([
      'kube-proxy stopped (v1.34.1) at 7000',
      replaced,
    ]);
  });

  test('is that another pod with the same image is there', () => {
    expect(told([pod('1', {})], [pod('2', { runs: 'b', sinceAt: 5000 })])).toEqual([
      'the pod of kube-proxy was replaced (v1.34.1) at 5000',
    ]);
  });

  test('is that its container starts again, with or without an end that was seen', () => {
    const again = pod('1', { runs: 'b', restarts: 1, sinceAt: 5000 });
    const restarted = 'kube-proxy restarted (v1.34.1, restart 1) at 5000';
    expect(told([pod('1', {})], [again])).toEqual([restarted]);
    expect(told([pod('1', {})], [pod('1', { ...ended, sinceAt: 4000 })], [again])).toEqual([
      'kube-proxy stopped (v1.34.1) at 4000',
      restarted,
    ]);
    const newImage = pod('1', { runs: 'b', restarts: 1, version: 'v1.35.0', sinceAt: 5000 });
    expect(told([pod('1', {})], [newImage])).toEqual([
      'kube-proxy was replaced (v1.34.1 to v1.35.0, restart 1) at 5000',
    ]);
  });

  test('is that it is there for the first time', () => {
    expect(told([], [pod('1', ended)], [pod('1', { sinceAt: 3000 })])).toEqual([
      'kube-proxy started (v1.34.1) at 3000',
    ]);
  });

  test('is nothing where the pod of a file is listed anew, and its container runs on', () => {
    expect(told([pod('1', {})], [pod('2', {})], [pod('2', {})])).toEqual([]);
  });

  test('is of other containers that they started again, and nothing else', () => {
    const side = { name: 'ovs', runs: 's' };
    const one = pod('1', {}, side);
    const again = pod('1', {}, { ...side, runs: 't', restarts: 3, sinceAt: 8000 });
    expect(told([one], [pod('1', {}, { ...side, ...ended })], [again])).toEqual([
      'kube-proxy:ovs restarted (v1.34.1, restart 3) at 8000',
    ]);
    expect(told([one], [pod('2', { runs: 'b' }, { ...side, runs: 't' })])).toHaveLength(1);
  });

  test('names no container that a row could not carry', () => {
    const named = (runs: string) =>
      [`x\u001b`, 'x y', '', 'o'.repeat(60)].map((name) => ({ name, runs }));
    const changes = new PodChanges();
    changes.take([pod('1', {}, ...named('s'))]);
    const found = changes.take([pod('1', {}, ...named('t'))]);
    expect(found.map(({ about }) => about)).toEqual([`kube-proxy:${'o'.repeat(21)}`]);
  });
});

describe('the log of a host', () => {
  test('keeps two of a pod that starts again and again, and what else changed', () => {
    const log = new ChangeLog();
    log.note('rebooted', 0);
    for (let at = 1; at <= 9; at++) {
      const change = { change: 'cni-pod', about: 'cilium', withinSeconds: 1 } as const;
      log.noteChange({ ...change, from: 'v1', to: `v1, restart ${at}`, foundMs: at * 1000 });
    }
    expect(log.changes(10_000).map(({ change, to }) => [change, to])).toEqual([
      ['cni-pod', 'v1, restart 9'],
      ['cni-pod', 'v1, restart 8'],
      ['rebooted', ''],
    ]);
  });

  test('takes no name that a row could not carry', () => {
    const log = new ChangeLog();
    const change = { change: 'cni-pod', from: 'a\u001b', to: 'b', foundMs: 0 } as const;
    log.noteChange({ ...change, about: 'a\u001b', withinSeconds: 1 });
    log.noteChange({ ...change, about: 'x', withinSeconds: 1 });
    expect(log.changes(0)).toMatchObject([{ about: 'x', from: '?', to: 'b' }]);
  });
});
