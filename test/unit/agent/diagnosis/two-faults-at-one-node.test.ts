import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../../agent/diagnosis/diagnose.js';
import type { DiagnosisOutput } from '../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { clusterOf, found, n, start, type PathOf, type Saying } from './cluster.js';

const at = ({ from, to }: PathOf) => from === n(3) || to === n(3);

describe('two faults of one node', () => {
  test.each([
    [4, 20, 200],
    [5, 20, 200],
    [5, 200, 20],
    [12, 20, 200],
    [12, 200, 20],
    [12, 200, 200],
  ])('each is told, and none of what the other one explains: %i nodes', (count, cutS, goneS) => {
    const { findings } = found(count, {
      without: [n(3)],
      says: (path) => {
        if (at(path) && path.plane === 'endpoint')
          return { state: 'unreachable', ageSeconds: cutS };
        const isAgent = path.to === n(3) && path.protocol === 'http';
        return isAgent
          ? { state: 'unreachable', ageSeconds: goneS, failure: 'refused' }
          : undefined;
      },
    });
    expect(findings.map(({ id }) => id).sort()).toEqual(['agent:c/n3', 'endpoint-plane:c/n3']);
  });

  test.each([
    [
      'an agent that is gone and filtered echoes',
      'host',
      'icmp',
      ['agent:', 'icmp-filtered:host:'],
    ],
    ['two servers that hang', 'endpoint', 'http', ['agent:', 'endpoint:']],
  ] as const)('are not one that began twice: %s', (_, plane, protocol, ids) => {
    const { findings } = found(12, {
      without: [n(3)],
      says: (path) => {
        if (path.to !== n(3)) return undefined;
        if (path.plane === 'host' && path.protocol === 'http')
          return { state: 'unreachable', ageSeconds: 300 };
        const isOther = path.plane === plane && path.protocol === protocol;
        return isOther ? { state: 'unreachable', ageSeconds: 60 } : undefined;
      },
    });
    expect(findings.map(({ id }) => id).sort()).toEqual(ids.map((id) => `${id}c/n3`));
  });

  test('are one where a node dies in steps', () => {
    const { findings } = found(12, {
      without: [n(3)],
      says: (path) => {
        if (!at(path)) return undefined;
        const isAgent = path.plane === 'host' && path.protocol === 'http';
        return { state: 'unreachable', ageSeconds: isAgent ? 300 : 60 };
      },
    });
    expect(findings.map(({ id }) => id)).toEqual(['node:c/n3']);
  });
});

describe('an agent that is gone while the overlay breaks', () => {
  const isGone = ({ to, plane, protocol }: PathOf) =>
    to === n(10) && plane === 'host' && protocol === 'http';

  test('is not told as filtered HTTP, though its endpoint failed for the nodes that looked first', () => {
    let previous: DiagnosisOutput | undefined;
    for (let atS = 0; atS <= 12; atS += 1) {
      const says = (path: PathOf): Saying => {
        if (isGone(path)) return { state: 'unreachable', failure: 'refused', ageSeconds: atS + 3 };
        if (path.plane !== 'endpoint') return undefined;
        const isSeen = atS > 2 || (path.to === n(10) && path.protocol === 'http');
        return isSeen ? { state: 'unreachable', failure: 'timeout', ageSeconds: atS } : undefined;
      };
      const input = { now: start + 1000 * atS, previous };
      previous = diagnose(clusterOf(12, { says, without: [n(10)], input }));
    }
    expect(previous?.findings.map(({ id }) => id)).toEqual(['endpoint-plane:all', 'agent:c/n10']);
  });
});
