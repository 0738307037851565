import { expect, test } from 'vitest';
import { protocols } from '../../../../agent/model/sample.js';
import { finished } from '../../../../agent/diagnosis/nouns/steps.js';
import { nodeEntries } from '../../../../agent/reports/v1/node-entries.js';
import { wellRow } from '../exchange/lib/rows.js';
import { createSimulatedCluster } from './simulated-cluster.js';

const names = Array.from({ length: 8 }, (_, at) => `c/n${at}`);

/** A cluster in which all nodes answer, and these agents never send a row. */
function clusterWithout(silent: readonly string[]) {
  const nodes = names.map((name, at) => ({
    name,
    host: [`10.0.0.${at}`],
    endpoint: [`10.1.0.${at}`],
  }));
  const { clock, store, peers, cluster, paths } = createSimulatedCluster(nodes);
  for (let second = 1; second <= 60; second++) {
    clock.runUntil(1000 * second);
    for (const path of paths) {
      const times = { sentMs: clock.nowMs(), at: clock.wallMs() };
      for (const protocol of protocols)
        store.record(path, protocol, { outcome: 'reply', rttNs: 1e5, ...times });
    }
    for (const name of names.slice(1)) {
      if (silent.includes(name)) peers.observers.notePlainAnswer(name, clock.nowMs());
      else peers.observers.keep(wellRow(name), `p.${second}`, 0, clock.nowMs());
    }
  }
  cluster.stop();
  return cluster.state();
}

test.each([[['c/n4']], [['c/n4', 'c/n6']]])(
  'nodes without an agent (%j) are degraded',
  (silent) => {
    const state = clusterWithout(silent);
    expect(state.findings).toMatchObject([{ kind: 'observers-missing' }]);
    const entries = finished(nodeEntries(state, { afterName: undefined, limit: 100 }));
    expect(entries.filter(({ verdict }) => verdict !== 'ok')).toMatchObject(
      silent.map((name) => ({ name, verdict: 'degraded' })),
    );
  },
);
