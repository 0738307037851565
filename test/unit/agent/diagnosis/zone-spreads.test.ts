import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../agent/diagnosis/diagnose.js';
import type { DiagnosisOutput } from '../../../../agent/diagnosis/nouns/diagnosis-input.js';
import { clusterOf, n, start } from './cluster.js';
import { shareOf } from './share-of.js';

const nodes = 60;
const names = Array.from({ length: nodes }, (_, at) => n(at + 1));
const zones = names.map((_, at) => 'abcd'[at % 4] ?? '');
const zoneOf = (name: string) => zones[Number(name.slice(3)) - 1];
/** Agents of a large cluster: they ask for each row once in this time. */
const intervalS = 50;
/** All nodes of a zone fail at this time, and work again at the other. */
const [offS, backS] = [10, 70];

/** When an observer knows that a path failed, or works again: it looks at all of them one after the other. */
const knownS = (from: string, to: string, isGet: boolean) =>
  1.5 + shareOf(from, to, isGet ? 1 : 0) * (isGet ? 20 : 8);

/** What the first node says of a zone that is off while all nodes look at it bit by bit, and of it as it is repaired. */
function findingsUntil(untilS: number) {
  let previous: DiagnosisOutput | undefined;
  const all: { readonly atS: number; readonly ids: readonly string[] }[] = [];
  for (let atS = offS; atS < untilS; atS += 1) {
    // Hints bring a row every two seconds, and most from all of the zone none.
    const confirmedS = (name: string) =>
      name === n(1) ? atS : atS - shareOf(name, String(Math.floor(atS / 2)), 2) * 4;
    const input = clusterOf(nodes, {
      zones,
      says: ({ from, to, protocol }) => {
        if (zoneOf(to) !== 'd' || zoneOf(from) === 'd') return undefined;
        const toldS = confirmedS(from);
        const lateS = knownS(from, to, protocol === 'http');
        if (toldS < offS + lateS || toldS >= backS + lateS) return undefined;
        const ageSeconds = Math.floor(toldS - offS - lateS);
        return { state: 'unreachable', ageSeconds, failure: 'timeout' };
      },
      rows: Object.fromEntries(
        names.map((name) => {
          const ageMs = 1000 * (atS - confirmedS(name));
          return [name, { ageMs, bodyAgeMs: ageMs, row: { httpIntervalMs: intervalS * 1000 } }];
        }),
      ),
      without: atS < backS ? names.filter((name) => zoneOf(name) === 'd') : [],
      input: { now: start + 1000 * atS, uptimeMs: 3_600_000, previous },
    });
    previous = diagnose(input);
    all.push({
      atS,
      ids: previous.findings.filter(({ kind }) => kind !== 'observers-missing').map(({ id }) => id),
    });
  }
  return all;
}

describe('a zone that is off, while its nodes are probed one after the other', () => {
  const all = findingsUntil(backS + 25);

  it('is told once, and by no other name', () => {
    const opened = all.findIndex(({ ids }) => ids.length > 0);
    const during = all.slice(opened).filter(({ atS }) => atS < backS);
    expect(during.length).toBeGreaterThan(40);
    for (const { ids } of during) expect(ids).toEqual(['zones:d']);
  });

  it('is told no more soon after the repair, and nothing else is', () => {
    for (const { atS, ids } of all) if (atS >= backS + 8) expect(ids, `${atS}`).toEqual([]);
  });
});
