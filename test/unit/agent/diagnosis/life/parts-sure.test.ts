import { expect, test } from 'vitest';
import { onChannels } from '../../../../../agent/diagnosis/nouns/cause.js';
import { isSure } from '../../../../../agent/diagnosis/life/opening.js';
import {
  allMask,
  hostHttpMask,
  icmpMask,
} from '../../../../../agent/diagnosis/nouns/channel-mask.js';
import { n } from '../cluster.js';
import { explainedIn } from '../explained.js';
import { failing, isOn, isTo } from '../paths.js';

test('two causes of a node are not sure where what fails for all would make them one of the whole node', () => {
  const says = failing((path) => isOn('endpoint', 'http')(path) || isTo(n(3))(path));
  const { tally, explained } = explainedIn(40, { says });
  const [whole] = explained.causes.filter(({ subject }) => subject.type === 'node');
  expect(whole).toMatchObject({ channels: allMask, ways: 'in' });
  if (!whole) return;
  const [echoes, gets] = [icmpMask, hostHttpMask].map((mask) => onChannels(whole, mask, tally.bad));
  const larger = explained.causes.filter(({ subject }) => subject.type === 'cluster');
  const seen = { failing: 39, of: 39, reporting: 39 };
  const isSureBeside = (...others: (typeof whole | undefined)[]) =>
    echoes &&
    isSure(
      echoes,
      { ...explained, causes: [...larger, echoes, ...others.flatMap((one) => one ?? [])] },
      seen,
      0,
    );
  expect(isSureBeside()).toBe(true);
  expect(isSureBeside(gets)).toBe(false);
  expect(isSureBeside(gets && { ...gets, ways: 'out' })).toBe(true);
});
