import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import { equalReason } from './equal-causes.js';
import type { Fault, FaultKind, Subject } from '../../faults/fault.js';
import { clusterKinds } from '../../faults/group-kinds.js';
import { nodeKinds } from '../../faults/node-kinds.js';
import { layoutOf } from './scenarios/random-layout.js';
import { makeFinding } from '../../rows/make-finding.js';

const layout = layoutOf(8, 2, (node) => node % 2);
const node: Subject = { type: 'node', node: 3 };
const cluster: Subject = { type: 'cluster' };

/** What the first node's agent sees of faults that have lasted for a minute. */
function seenOf(kinds: readonly [kind: FaultKind, subject: Subject][]) {
  const made = kinds.map(([kind, subject]) => kind.make(layout, subject, 0));
  return {
    layout,
    made,
    view: { localName: 'c/n1', hasRow: () => true },
    conditions: {
      names: layout.names,
      zones: layout.names.map(() => undefined),
      local: 0,
      troubles: made.map(({ trouble }) => ({ trouble, ageS: 60 })),
      wrongShare: 0,
      strayLoss: 0,
      straySlow: 0,
      isSilent: () => false,
      isStale: () => false,
    },
  };
}

function findingOf(kind: Finding['kind'], direction?: Finding['direction']): Finding {
  const told = { kind, node: 'c/n4', protocols: ['http' as const] };
  return makeFinding({ ...told, ...(direction && { direction }) });
}

describe('an answer that is not the truth', () => {
  it('is as good where a fault of the cluster hides what would tell them apart', () => {
    const seen = seenOf([
      [clusterKinds.icmp, cluster],
      [nodeKinds.endpointHangs, node],
    ]);
    const hangs = seen.made.slice(1);
    const filtered = findingOf('endpoint-plane', 'inbound');
    expect(equalReason(seen, hangs, [filtered])).toBe(
      'endpoint hangs looks like requests to endpoint filtered, beside ICMP dropped everywhere',
    );
  });

  it.each([
    {
      everywhere: clusterKinds.endpointPort,
      made: nodeKinds.requestsToEndpoint,
      told: { kind: 'icmp-filtered', plane: 'endpoint', direction: 'inbound' },
      reason:
        'requests to endpoint filtered looks like echoes to endpoint filtered, beside endpoint port filtered everywhere',
    },
    {
      everywhere: clusterKinds.overlay,
      made: nodeKinds.requestsTo,
      told: { kind: 'host-plane', direction: 'inbound' },
      reason: expect.stringMatching(/^requests to node filtered looks like /) as string,
    },
    {
      everywhere: clusterKinds.icmp,
      made: nodeKinds.tunnel,
      told: { kind: 'http-filtered', plane: 'endpoint', direction: 'both' },
      reason:
        'tunnel of node cut looks like GETs at endpoint filtered, beside ICMP dropped everywhere',
    },
  ] as const)(
    'is as good where it names the part of $made.what that is not hidden, beside $everywhere.what',
    ({ everywhere, made, told, reason }) => {
      const seen = seenOf([
        [everywhere, cluster],
        [made, node],
      ]);
      const finding = makeFinding({ ...told, node: 'c/n4' });
      expect(equalReason(seen, seen.made.slice(1), [finding])).toEqual(reason);
      const alone = seenOf([[made, node]]);
      expect(equalReason(alone, alone.made, [finding])).toBeUndefined();
    },
  );

  it('is wrong where the rows tell them apart', () => {
    const seen = seenOf([[nodeKinds.endpointHangs, node]]);
    const filtered = findingOf('endpoint-plane', 'inbound');
    expect(equalReason(seen, seen.made, [filtered])).toBeUndefined();
  });

  it('is wrong where GETs arrive that could not in its case', () => {
    const seen = seenOf([
      [clusterKinds.overlay, cluster],
      [nodeKinds.probePort, node],
    ]);
    expect(equalReason(seen, seen.made.slice(1), [findingOf('agent-down')])).toBeUndefined();
  });

  it('is wrong where it has more causes than the truth', () => {
    const seen = seenOf([
      [clusterKinds.icmp, cluster],
      [nodeKinds.endpointHangs, node],
    ]);
    const filtered = findingOf('endpoint-plane', 'inbound');
    const missed: Fault[] = seen.made.slice(1);
    expect(equalReason(seen, missed, [filtered, filtered])).toBeUndefined();
  });
});
