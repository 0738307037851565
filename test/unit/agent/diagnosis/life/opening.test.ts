import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../../agent/diagnosis/diagnose.js';
import type { DiagnosisOutput } from '../../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { nameHash } from '../../../../../agent/model/name-hash.js';
import { clusterOf, n, start } from '../cluster.js';

const nodes = 40;
const zones = Array.from({ length: nodes }, (_, at) => (at < nodes / 2 ? 'a' : 'b'));

/** By when rows were confirmed: the round brings them at different times. The own one is of now. */
const rowAgeMs = (node: number) => (node === 1 ? 0 : 100 + ((node * 37) % 40) * 80);
const numberOf = (name: string) => Number(name.slice('c/n'.length));

/** Each path has its verdict at another time, within three seconds after the first ones. */
const verdictS = (from: string, to: string) =>
  1.4 + (3 * (Math.imul(nameHash(`${from} ${to}`), 0x2c1b_3c6d) >>> 0)) / 2 ** 32;

/** What is told until then, twice a second, while more and more paths to some endpoints are known to fail by HTTP. */
function toldUntil(untilS: number, fails: (to: string) => boolean): string[] {
  let previous: DiagnosisOutput | undefined = diagnose(
    clusterOf(nodes, { zones, input: { now: start } }),
  );
  const told = new Set<string>();
  for (let seconds = 1; seconds <= untilS; seconds += 0.5) {
    const now = start + 1000 * seconds;
    const rows = Object.fromEntries(
      Array.from({ length: nodes }, (_, at) => [n(at + 1), { ageMs: rowAgeMs(at + 1) }]),
    );
    const input = clusterOf(nodes, {
      zones,
      rows,
      input: { now, previous },
      says: ({ from, to, plane, protocol }) => {
        if (plane !== 'endpoint' || protocol !== 'http' || !fails(to)) return undefined;
        const failsForS = seconds - verdictS(from, to);
        if (failsForS < rowAgeMs(numberOf(from)) / 1000) return undefined;
        return { state: 'unreachable', ageSeconds: Math.floor(failsForS), failure: 'timeout' };
      },
    });
    previous = diagnose(input);
    for (const { id } of previous.findings) told.add(id);
  }
  return [...told];
}

describe('a node beside which more and more nodes fail', () => {
  it('is not told for itself where all are about to fail, nor are zones', () => {
    expect(toldUntil(9, () => true)).toEqual(['http-filtered:endpoint']);
  });

  it('is told where the others work', () => {
    expect(toldUntil(9, (to) => to === n(7))).toEqual(['endpoint:c/n7']);
  });
});
