import { describe, expect, it } from 'vitest';
import type { Cause } from '../../../../../agent/diagnosis/nouns/cause.js';
import {
  allMask,
  endpointHttpMask,
  endpointIcmpMask,
  endpointMask,
  hostHttpMask,
} from '../../../../../agent/diagnosis/nouns/channel-mask.js';
import { joinParts } from '../../../../../agent/diagnosis/search/join-parts.js';

function causeAt(node: number, channels: number, more: Partial<Cause> = {}): Cause {
  return {
    subject: { type: 'node', node },
    trouble: 'broken',
    channels,
    knownChannels: channels,
    ways: 'both',
    isPartial: false,
    entries: Int32Array.of(channels, 7),
    paths: 10,
    well: 0,
    cost: 5,
    gain: 20,
    ...more,
  };
}

const shapesOf = (causes: readonly Cause[], beganTogether = true) =>
  joinParts(causes, () => beganTogether).map(({ channels, ways }) => ({ channels, ways }));

describe('what is found of a node in parts', () => {
  it('is one cause where only the direction differs', () => {
    const parts = [
      causeAt(1, allMask, { ways: 'in' }),
      causeAt(1, allMask, { ways: 'out', isPartial: true }),
    ];
    expect(shapesOf(parts)).toEqual([{ channels: allMask, ways: 'both' }]);
    expect(joinParts(parts, () => true)[0]).toMatchObject({ isPartial: true, paths: 20 });
  });

  it('is one cause of its plane while too few GETs of it are known to fail', () => {
    const echoes = causeAt(1, endpointIcmpMask);
    const into = causeAt(1, endpointHttpMask, { ways: 'in' });
    const some = causeAt(1, endpointHttpMask, { ways: 'out', isPartial: true });
    expect(shapesOf([echoes, into, some])).toEqual([{ channels: endpointMask, ways: 'both' }]);
    // The plane is known in one direction already.
    const plane = causeAt(1, endpointMask, { ways: 'in' });
    const out = causeAt(1, endpointIcmpMask, { ways: 'out' });
    expect(shapesOf([plane, out, some])).toEqual([{ channels: endpointMask, ways: 'both' }]);
  });

  it('stays two where both are whole, so that nothing was in the way of one', () => {
    expect(shapesOf([causeAt(1, endpointIcmpMask), causeAt(1, endpointHttpMask)])).toHaveLength(2);
  });

  it('stays two where they began at different times, or are not of one plane, one direction or one node', () => {
    const some = causeAt(1, endpointHttpMask, { isPartial: true });
    expect(shapesOf([causeAt(1, endpointIcmpMask), some], false)).toHaveLength(2);
    expect(shapesOf([causeAt(1, hostHttpMask), some])).toHaveLength(2);
    expect(shapesOf([causeAt(1, endpointIcmpMask, { ways: 'out' }), some])).toHaveLength(2);
    expect(shapesOf([causeAt(2, endpointIcmpMask), some])).toHaveLength(2);
  });
});
