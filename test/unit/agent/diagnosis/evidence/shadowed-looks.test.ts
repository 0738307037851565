import { describe, expect, it } from 'vitest';
import { indexCluster } from '../../../../../agent/diagnosis/nouns/cluster-index.js';
import type { DiagnosisOutput } from '../../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { shadowedLooks } from '../../../../../agent/diagnosis/evidence/shadowed-looks.js';
import { TargetLooks } from '../../../../../agent/diagnosis/evidence/target-looks.js';
import { planes } from '../../../../../agent/model/path.js';
import { finished } from '../../../../../agent/diagnosis/nouns/steps.js';

const index = indexCluster(
  ['c/n1', 'c/n2'].map((name) => ({
    name,
    zone: undefined,
    phase: 'active' as const,
    host: ['10.0.0.1'],
    endpoint: [],
    known: undefined,
  })),
);

/** The second node does not reach it from its host plane, and looked so many seconds ago. */
function looksOf(probedS: number): TargetLooks {
  const target = { target: 'registry', digest: 7 };
  const looks = new TargetLooks(target, 4);
  for (const node of [0, 1])
    for (const plane of planes) {
      const state = node === 1 && plane === 'host' ? 'unreachable' : 'reachable';
      looks.note(node, { ...target, plane, state, ageSeconds: 30, probedSeconds: probedS }, 0);
    }
  return looks;
}

const none = (): boolean => false;
const all = { counts: () => true, isRefuted: none };

/** The next run, which finds no fault. */
const next = (now: number, before: Pick<DiagnosisOutput, 'shadows'>) =>
  finished(shadowedLooks({ index, now }, before, [], []));

describe('a look in the shadow of a fault of paths', () => {
  const during = finished(shadowedLooks({ index, now: 100_000 }, undefined, [2], []));
  /** The first run that finds no more of the fault was half a second after the last one that did. */
  const after = (now: number) => next(now, next(100_500, during));

  it('does not count until the node has looked again', () => {
    expect(after(103_000).at(looksOf(5), all)(2)).toBe('waits');
    expect(after(103_000).at(looksOf(2), all)(2)).toBe('counts');
  });

  it('does not count if it was sent between the last run that found the fault and the next one', () => {
    expect(after(103_000).at(looksOf(2.6), all)(2)).toBe('waits');
    expect(after(103_000).at(looksOf(2.4), all)(2)).toBe('counts');
  });

  it('leaves those that reach the target as they are', () => {
    expect([0, 1, 3].map(after(103_000).at(looksOf(5), all))).toEqual([
      'counts',
      'counts',
      'counts',
    ]);
  });

  it('is remembered where the look alone was explained', () => {
    const shadowed = finished(shadowedLooks({ index, now: 100_000 }, undefined, [], []));
    expect(shadowed.at(looksOf(1), { counts: (slot) => slot !== 2, isRefuted: none })(2)).toBe(
      'nothing',
    );
    expect([...shadowed.shadows.values()]).toEqual([{ toMs: 100_000, isOver: false }]);
  });

  it('counts at once when what explained it alone is refuted', () => {
    const explained = finished(shadowedLooks({ index, now: 100_000 }, undefined, [], []));
    const counts = (slot: number): boolean => slot !== 2;
    explained.at(looksOf(1), { counts, isRefuted: none });
    const later = next(101_000, explained);
    expect(later.at(looksOf(2), all)(2)).toBe('waits');
    expect(later.at(looksOf(2), { ...all, isRefuted: () => true })(2)).toBe('counts');
  });

  it('is forgotten in the end', () => {
    expect(after(100_000 + 31 * 60_000).at(looksOf(3000), all)(2)).toBe('counts');
  });
});

describe('a look of a node whose row did not come', () => {
  /** The row of the second node was too old from 60 s on, and comes again after 100 s. */
  const cutOff = finished(
    shadowedLooks({ index, now: 100_000 }, undefined, [], [{ node: 1, ageMs: 40_000 }]),
  );
  const since = (beganS: number, probedS: number) => {
    const looks = looksOf(probedS);
    looks.ageS.fill(beganS);
    return next(105_000, next(100_500, cutOff)).at(looks, all)(2);
  };

  it('does not count if it began meanwhile, until the node has looked again', () => {
    expect(since(30, 6)).toBe('waits');
    expect(since(30, 2)).toBe('counts');
  });

  it('counts if it failed before', () => {
    expect(since(50, 6)).toBe('counts');
  });
});
