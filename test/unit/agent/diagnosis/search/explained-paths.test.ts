import { expect, test } from 'vitest';
import { allMask, hostMask } from '../../../../../agent/diagnosis/nouns/channel-mask.js';
import { n, type PathOf, type Saying } from '../cluster.js';
import { explainedIn } from '../explained.js';
import { isOn, isTo } from '../paths.js';

/**
 * The channels of the cause at a node that is reached at neither address, where all endpoints fail as long.
 * @param ageOf for how long the paths of five of the others have failed on a plane, in seconds
 */
function channelsOfDead(ageOf: (plane: PathOf['plane']) => number): number | undefined {
  const says = (path: PathOf): Saying => {
    if (!isOn('endpoint')(path) && !isTo(n(3))(path)) return undefined;
    const isOfFive = [5, 6, 7, 8, 9].some((node) => path.from === n(node));
    return { state: 'unreachable', ageSeconds: isOfFive ? ageOf(path.plane) : 60 };
  };
  const { explained } = explainedIn(40, { says, without: [n(3)] });
  return explained.causes.find(({ subject }) => subject.type === 'node')?.channels;
}

test('an agent that restarted does not say that a path worked before, as one does whose other paths fail for longer', () => {
  expect(channelsOfDead(() => 60)).toBe(allMask);
  expect(channelsOfDead(() => 5)).toBe(allMask);
  expect(channelsOfDead((plane) => (plane === 'endpoint' ? 5 : 60))).toBe(hostMask);
});
