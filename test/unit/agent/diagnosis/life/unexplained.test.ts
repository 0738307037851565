import { expect, test } from 'vitest';
import { unexplainedPaths } from '../../../../../agent/diagnosis/life/unexplained.js';
import { listGroupOf, listGroups } from '../../../../../agent/model/row-coverage.js';

const hashes = Uint32Array.from({ length: 40 }, (_, node) => 1000 + node);
const allGroups = 2 ** listGroups - 1;

/** How much is left where one observer only counts failing paths, and these nodes are known to be down. */
function left(down: readonly number[], counted: number, observer: number, groups = allGroups) {
  const tally = {
    bad: new Uint8Array(0),
    badEntries: [],
    index: { size: hashes.length, hashes, masks: new Uint8Array(hashes.length).fill(1) },
    observations: {
      observers: [
        {
          node: observer,
          omitted: [counted, 0, 0, 0],
          coverage: { horizons: [999, -1, -1, -1], groups },
        },
      ],
    },
  };
  const explained = down.map((node) => ({
    subject: { type: 'node', node },
    knownChannels: 1,
    entries: [],
    ways: 'in',
  }));
  const steps = unexplainedPaths(tally as never, [{ explained }] as never);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

test('counted paths are explained by the nodes that are down, each once', () => {
  expect(left([1, 2, 3], 3, 30)).toBe(0);
  expect(left([1, 2, 3], 5, 30)).toBe(2);
  expect(left([1, 1, 2], 3, 30)).toBe(1);
});

test('an observer that is called down itself does not count its path to itself', () => {
  expect(left([1, 2, 30], 3, 30)).toBe(1);
});

test('a node that the observer may not know explains nothing that it counts', () => {
  const without = allGroups & ~(1 << listGroupOf(1002));
  expect(left([1, 2, 3], 3, 30, without)).toBe(1);
  expect(left([1, 2, 3], 3, 2, without)).toBe(1);
});
