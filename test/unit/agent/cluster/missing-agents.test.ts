import { expect, test } from 'vitest';
import { finished } from '../../../../agent/diagnosis/nouns/steps.js';
import { nodeEntries } from '../../../../agent/reports/v1/node-entries.js';
import { wellRow } from '../exchange/lib/rows.js';
import { numberedNodes } from '../../../rows/numbered-nodes.js';
import { createSimulatedCluster, reply } from './simulated-cluster.js';

const nodes = numberedNodes(8);

/** A cluster in which all nodes answer, and these agents never send a row. */
function clusterWithout(silent: readonly string[]) {
  const { clock, peers, cluster, run } = createSimulatedCluster(nodes);
  run(
    60,
    () => reply,
    (second) => {
      for (const { name } of nodes.slice(1)) {
        if (silent.includes(name)) peers.observers.notePlainAnswer(name, clock.nowMs());
        else peers.observers.keep(wellRow(name), `p.${second}`, 0, clock.nowMs());
      }
    },
  );
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
