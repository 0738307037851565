import { describe, expect, it } from 'vitest';
import { largeObservations } from '../../../../../agent/diagnosis/evidence/large-packets.js';
import { observe } from '../../../../../agent/diagnosis/evidence/observations.js';
import { indexCluster } from '../../../../../agent/diagnosis/nouns/cluster-index.js';
import { finished } from '../../../../../agent/diagnosis/nouns/steps.js';
import type { RowLarge } from '../../../../../agent/model/row-large.js';
import { makeNode } from '../../../../rows/make-input.js';
import { clusterOf, makeNodes, n } from '../cluster.js';

const [hostHttp, endpointHttp] = [1, 3];
// The third node has no endpoint.
const index = indexCluster([...makeNodes(2), makeNode(n(3), 3, { endpoint: [] })]);
const onHost = (node: string) => ({ node, plane: 'host', ageSeconds: 4 }) as const;
const onEndpoint = (node: string) => ({ node, plane: 'endpoint', ageSeconds: 4 }) as const;

/** To which nodes the row of the first one has entries, and on which channels large packets are lost, and passed. */
function entriesOf(large: RowLarge) {
  const input = clusterOf(3, { rows: { [n(1)]: { row: { large } } }, input: { index } });
  const { entries } = largeObservations(finished(observe(input)), index);
  const told = [entries.to, entries.mtu, entries.passed];
  const [to, lost, passed] = told.map((numbers) => [...numbers.slice(0, entries.size)]);
  return { to, lost, passed };
}

describe('what a row says of large packets', () => {
  it.each(['lost', 'passed'] as const)('is about listed nodes, and not its own: %s', (outcome) => {
    const said = [onHost(n(9)), onHost(n(1)), onEndpoint(n(3)), onHost(n(2))];
    const none = { lost: [], passed: [] };
    expect(entriesOf({ ...none, [outcome]: said })).toMatchObject({
      to: [1],
      [outcome]: [1 << hostHttp],
    });
  });

  it('counts as lost on a path where it says both', () => {
    const large = { lost: [onHost(n(2))], passed: [onHost(n(2)), onEndpoint(n(2))] };
    expect(entriesOf(large)).toEqual({
      to: [1],
      lost: [1 << hostHttp],
      passed: [1 << endpointHttp],
    });
  });
});
