import { describe, expect, it } from 'vitest';
import { beganMsOf } from '../../../../../agent/diagnosis/life/remembered-causes.js';
import { httpMask } from '../../../../../agent/diagnosis/nouns/channel-mask.js';
import { n, numberOf, start, type PathOf, type Saying } from '../cluster.js';
import { explainedIn } from '../explained.js';

const nodes = 60;
const target = n(7);

/** How long ago GETs of a node began to fail, by what all say of its endpoint, and some of its node IP. */
function beganS(endpointS: number, hostS: number): number {
  const says = ({ from, to, plane, protocol }: PathOf): Saying => {
    if (to !== target || protocol !== 'http') return undefined;
    if (plane === 'host' && numberOf(from) % 6 !== 0) return undefined;
    return { state: 'unreachable', ageSeconds: plane === 'host' ? hostS : endpointS };
  };
  const { facts, tally, explained } = explainedIn(nodes, { says });
  const [first] = explained.causes;
  const node = tally.index.numberOf.get(target) ?? -1;
  expect(first?.subject).toEqual({ type: 'node', node });
  if (!first) return NaN;
  const { explanation } = explained;
  const entries = tally.entriesTo(node);
  const cause = { ...first, channels: httpMask, knownChannels: httpMask, entries } as const;
  const { now } = facts.input;
  expect(now).toBeGreaterThanOrEqual(start);
  return (now - beganMsOf(cause, facts.input, { tally, explanation })) / 1000;
}

describe('a cause at a node began', () => {
  it('with the last of its channels, though few have seen that one fail yet', () => {
    expect(beganS(60, 3)).toBeLessThan(8);
  });

  it('with the first one where all need as long to probe the last one', () => {
    expect(beganS(12, 9)).toBeGreaterThan(11);
  });
});
