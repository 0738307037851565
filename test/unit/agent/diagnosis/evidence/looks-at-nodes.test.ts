import { describe, expect, it } from 'vitest';
import { indexCluster } from '../../../../../agent/diagnosis/nouns/cluster-index.js';
import type { Subject } from '../../../../../agent/diagnosis/nouns/subject.js';
import { finished } from '../../../../../agent/diagnosis/nouns/steps.js';
import { allMask } from '../../../../../agent/diagnosis/nouns/channel-mask.js';
import { CoveredPaths } from '../../../../../agent/diagnosis/evidence/covered-paths.js';
import { timesAtNodes } from '../../../../../agent/diagnosis/evidence/times-at-nodes.js';
import { observe } from '../../../../../agent/diagnosis/evidence/observations.js';
import { ProbeTimes } from '../../../../../agent/diagnosis/evidence/time-model.js';
import { makeInput } from '../../../../rows/make-input.js';
import { freshRow, makeRow, pathsTo } from '../../../../rows/make-row.js';
import { makeNodes, n, namesOf } from '../cluster.js';

const size = 1000;
const getChannel = 1;
const zones = namesOf(size).map((_, at) => (at < 300 ? 'a' : 'b'));
const index = indexCluster(makeNodes(size, zones));
const times = new ProbeTimes({ httpIntervalMs: 50_000 }, size);
const cutOff = { type: 'zones', group: 0, other: undefined } as const;

/** How soon others look at a node that began to fail so many seconds ago, as an agent knows that does not reach a zone, and by which cause. */
function lookTime(beganS: number, known: Subject | undefined, ageSeconds = 5) {
  const paths = namesOf(300).flatMap((node) =>
    pathsTo(node, () => ({ state: 'unreachable', ageSeconds })),
  );
  const rows = [freshRow(makeRow(n(size), paths, size))];
  const input = makeInput([], { index, rows, localName: n(size) });
  const observations = finished(observe(input));
  const explained =
    known && new CoveredPaths(index, [{ subject: known, channels: allMask, ways: 'both' }]);
  return timesAtNodes(times, observations, index, explained)(beganS)[getChannel];
}

describe('how soon others look at a node', () => {
  it('is later beside hundreds that known causes break since then', () => {
    expect(lookTime(7, cutOff)).toEqual(times.beside(300)[getChannel]);
    expect(lookTime(7, cutOff)?.hintedS).toBe(50);
    expect(lookTime(7, cutOff)?.confirmS).toBe(11.25);
  });

  it('is as soon as alone where these were looked at before it began to fail', () => {
    expect(lookTime(7, cutOff, 90)).toEqual(times.beside(0)[getChannel]);
  });

  it('is as soon as alone where it is not known of how many a cause is that breaks the others', () => {
    expect(lookTime(7, undefined)).toEqual(times.beside(0)[getChannel]);
  });

  it('is as soon as alone where the others fail by what is wrong with the agent itself', () => {
    const itself = { type: 'node', node: size - 1 } as const;
    expect(lookTime(7, itself)).toEqual(times.beside(0)[getChannel]);
  });
});
