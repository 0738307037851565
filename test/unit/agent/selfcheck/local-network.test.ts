import { expect, test } from 'vitest';
import type { Sample } from '../../../../agent/model/sample.js';
import { Problems } from '../../../../agent/platform/problems.js';
import { ResultStore } from '../../../../agent/results/result-store.js';
import { createLocalNetworkReporter } from '../../../../agent/selfcheck/local-network.js';

const each = { failures: 1, recovery: 1 };
const detail = 'this host cannot send: network is unreachable';
const reply: Sample = { outcome: 'reply', sentMs: 1, at: 1, rttNs: 1 };
const failure = (kind: 'local' | 'timeout'): Sample => ({
  outcome: 'failure',
  sentMs: 2,
  at: 2,
  kind,
  detail: kind === 'local' ? detail : 'Connection timed out',
});

function createReporter(nodes: number) {
  const store = new ResultStore({ thresholds: { icmp: each, http: each } });
  const { added } = store.setNodes(
    Array.from({ length: nodes }, (_, i) => ({
      name: `c/${i}`,
      host: [`10.0.0.${i + 1}`],
      endpoint: [],
    })),
  );
  const problems = new Problems();
  const lines: string[] = [];
  const log = (_: unknown, message: string) => lines.push(message);
  const report = createLocalNetworkReporter({
    localFailures: (protocol) => store.localFailures(protocol),
    logger: { info: log, warn: log } as never,
    problems,
  });
  return { store, added, problems, report, lines };
}

test('many paths that fail because of this host are a problem of the agent until they work again', () => {
  const { store, added, problems, report, lines } = createReporter(20);
  report();
  expect(problems.coded()).toEqual([]);
  for (const path of added.slice(1)) store.record(path, 'icmp', failure('local'));
  report();
  report();
  expect(problems.coded()).toEqual([
    {
      code: 'local-network',
      severity: 'error',
      text: `19 of 20 paths fail by icmp because of this host: ${detail}`,
    },
  ]);
  for (const path of added) store.record(path, 'icmp', reply);
  report();
  expect(problems.coded()).toEqual([]);
  expect(lines).toEqual([
    'this host cannot reach the network',
    'this host reaches the network again',
  ]);
});

test('one such path alone, and paths that fail because of the peer, are no problem of the agent', () => {
  const { store, added, problems, report } = createReporter(20);
  for (const [index, path] of added.entries()) {
    store.record(path, 'http', failure(index === 0 ? 'local' : 'timeout'));
  }
  report();
  expect(problems.coded()).toEqual([]);
});

test('a path that is no longer listed is not counted', () => {
  const { store, added } = createReporter(4);
  for (const path of added) store.record(path, 'icmp', failure('local'));
  expect(store.localFailures('icmp')).toEqual({ paths: 4, failing: 4, failure: detail });
  store.setNodes([{ name: 'c/0', host: ['10.0.0.1'], endpoint: [] }]);
  expect(store.localFailures('icmp')).toMatchObject({ paths: 1, failing: 1 });
  store.setNodes([]);
  expect(store.localFailures('icmp')).toEqual({ paths: 0, failing: 0, failure: undefined });
});
