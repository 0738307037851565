import { describe, expect, it } from 'vitest';
import { areChannelsSure } from '../../../../../agent/diagnosis/life/opening.js';
import {
  allMask,
  endpointHttpMask,
  endpointMask,
  hostIcmpMask,
  hostMask,
  icmpMask,
} from '../../../../../agent/diagnosis/nouns/channel-mask.js';

const told = 40;

/**
 * What is known of the paths to a node, of which all those on some channels fail that were probed.
 * @param works how many of the others are known to work, by channel
 */
function sideOf(failing: number, works: readonly number[]) {
  const bad = [0, 1, 2, 3].map((channel) => ((failing >> channel) & 1 ? 12 : 0));
  return {
    bad,
    open: bad,
    well: works,
    probed: works,
    reported: works.map(() => told),
  };
}

const isSure = (channels: number, works: readonly number[], everywhere = 0) =>
  areChannelsSure({ channels }, sideOf(channels, works), everywhere);

describe('whether the channels of a cause are all that fail', () => {
  it('is known of a plane once one protocol works on the other one', () => {
    expect(isSure(hostMask, [0, 0, 0.2, 0.2])).toBe(false);
    expect(isSure(hostMask, [0, 0, 5, 0.2])).toBe(true);
    expect(isSure(hostMask, [0, 0, 0.2, 5])).toBe(true);
  });

  it('is known of echoes to one address once those to the other one work, and GETs to the same', () => {
    expect(isSure(hostIcmpMask, [0, 5, 0.2, 0.2])).toBe(false);
    expect(isSure(hostIcmpMask, [0, 0.2, 5, 0.2])).toBe(false);
    expect(isSure(hostIcmpMask, [0, 5, 5, 0.2])).toBe(true);
  });

  it('is known where nothing else may fail', () => {
    expect(isSure(allMask, [0, 0, 0, 0])).toBe(true);
  });

  it('is not known while another channel fails that nothing explains', () => {
    const side = { ...sideOf(hostMask, [0, 0, 5, 3]), bad: [12, 12, 0, 9], open: [12, 12, 0, 9] };
    expect(areChannelsSure({ channels: hostMask }, side, 0)).toBe(false);
  });

  it('does not hang on what fails in the whole cluster', () => {
    expect(isSure(hostIcmpMask, [0, 5, 0, 0], endpointMask)).toBe(true);
    // It is no sign that the node is not off: its GETs at the other address are still to come.
    expect(isSure(icmpMask, [0, 0.2, 0, 0], endpointHttpMask)).toBe(false);
    expect(isSure(icmpMask, [0, 5, 0, 0], endpointHttpMask)).toBe(true);
    // Echoes of both planes may be those of one that fails everywhere, and of the node's other address.
    expect(isSure(icmpMask, [0, 5, 0, 0.2], endpointMask)).toBe(false);
  });
});
