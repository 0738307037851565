import { expect, test } from 'vitest';
import type { Sample } from '../../../../agent/model/sample.js';
import { Problems } from '../../../../agent/platform/problems.js';
import { createLocalNetworkReporter } from '../../../../agent/selfcheck/local-network.js';
import { answered, listIn, lost, makeStore } from '../../../rows/make-store.js';

const detail = 'this host cannot send: network is unreachable';
const unsent: Sample = { ...lost, kind: 'local', detail };
const nodeOf = (at: number) => ({ name: `c/${at}`, host: [`10.0.0.${at + 1}`], endpoint: [] });

function createReporter(nodes: number) {
  const store = makeStore();
  const added = listIn(store, ...Array.from({ length: nodes }, (_, at) => nodeOf(at)));
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
  for (const path of added.slice(1)) store.record(path, 'icmp', unsent);
  report();
  report();
  expect(problems.coded()).toEqual([
    {
      code: 'local-network',
      severity: 'error',
      text: `19 of 20 paths fail by icmp because of this host: ${detail}`,
    },
  ]);
  for (const path of added) store.record(path, 'icmp', answered);
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
    store.record(path, 'http', index === 0 ? unsent : lost);
  }
  report();
  expect(problems.coded()).toEqual([]);
});

test('a path that is no longer listed is not counted', () => {
  const { store, added } = createReporter(4);
  for (const path of added) store.record(path, 'icmp', unsent);
  expect(store.localFailures('icmp')).toEqual({ paths: 4, failing: 4, failure: detail });
  store.setNodes([nodeOf(0)]);
  expect(store.localFailures('icmp')).toMatchObject({ paths: 1, failing: 1 });
  store.setNodes([]);
  expect(store.localFailures('icmp')).toEqual({ paths: 0, failing: 0, failure: undefined });
});
