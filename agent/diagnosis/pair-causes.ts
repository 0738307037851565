import type { Cause } from './cause.js';
import { causeMasks, sizeOf } from './channels.js';
import type { Evidence } from './evidence.js';
import type { OpenPair, OpenPairs } from './open-pairs.js';
import {
  bothWaysCost,
  contradictionWeight,
  pairCost,
  persistence,
  reportWeight,
} from './weights.js';

/** A cause between two nodes, and what it gains. */
export interface PairPattern {
  readonly gain: number;
  readonly mask: number;
  readonly isWhole: boolean;
  readonly ways: 'in' | 'out' | 'both';
  readonly reverseWorks: boolean;
  readonly contradictions: number;
}

/** The choice of channels and direction: one of this many patterns. */
const patternCost = Math.log(3 * causeMasks.length);

const waysOfPair = ['both', 'in', 'out'] as const;

/** The best cause between two nodes for what is open; undefined if none is worth its cost. */
export function pairPattern(
  evidence: Evidence,
  pairs: OpenPairs,
  pair: OpenPair,
): PairPattern | undefined {
  const { a, b, ab, ba } = pair;
  const failing = pairs.failing(pair);
  const ageS = pairs.ageS(pair);
  const nodes = evidence.index.size;
  const cost = pairCost + patternCost + Math.log(Math.max((nodes * (nodes - 1)) / 2, 1));
  // Most pairs have one failing path. That is too little, whatever else is known.
  const most =
    reportWeight(sizeOf(failing.ab), pairs.reportWeight) +
    reportWeight(sizeOf(failing.ba), pairs.reportWeight);
  if (most * persistence(ageS) <= cost) return undefined;
  const channelsFailing = [0, 1, 2, 3].map((channel) => ({
    there: (failing.ab >> channel) & 1,
    back: (failing.ba >> channel) & 1,
  }));
  const works = channelsFailing.map(({ there, back }, channel) => ({
    there: there ? 0 : pairs.works(a, b, ab, channel, ageS),
    back: back ? 0 : pairs.works(b, a, ba, channel, ageS),
  }));
  let best: PairPattern | undefined;
  for (const ways of waysOfPair) {
    for (const causeMask of causeMasks) {
      let [there, back, working, mask] = [0, 0, 0, 0];
      let [reverse, elsewhere] = [0, 0];
      for (let channel = 0; channel < 4; channel++) {
        const [is, ok] = [channelsFailing[channel], works[channel]];
        if (!is || !ok) continue;
        const [isThere, isBack] = [ways === 'out' ? 0 : is.there, ways === 'in' ? 0 : is.back];
        const worked = (ways === 'out' ? 0 : ok.there) + (ways === 'in' ? 0 : ok.back);
        if (((causeMask >> channel) & 1) === 0) {
          elsewhere += isThere + isBack + worked;
          continue;
        }
        if (isThere + isBack + worked > 0) mask |= 1 << channel;
        there += isThere;
        back += isBack;
        working += worked;
        reverse += ways === 'in' ? ok.back : ways === 'out' ? ok.there : 0;
      }
      const gain =
        persistence(ageS) *
          (reportWeight(there, pairs.reportWeight) +
            reportWeight(back, pairs.reportWeight) -
            contradictionWeight * working) -
        cost -
        (ways === 'both' ? bothWaysCost : 0);
      if (gain <= (best?.gain ?? 0)) continue;
      const reverseWorks = ways !== 'both' && reverse >= 0.5;
      best = {
        gain,
        mask,
        isWhole: elsewhere === 0,
        ways,
        reverseWorks,
        contradictions: working,
      };
    }
  }
  return best;
}

/**
 * Finds the causes between two nodes, for what nothing larger explains. The paths that they explain
 * are marked.
 */
export function pairCauses(evidence: Evidence, pairs: OpenPairs): Cause[] {
  const causes: Cause[] = [];
  for (const pair of pairs.all) {
    const pattern = pairPattern(evidence, pairs, pair);
    if (!pattern) continue;
    const { mask, isWhole, ways, reverseWorks, contradictions } = pattern;
    const entries: number[] = [];
    let paths = 0;
    for (const entry of [ways === 'out' ? -1 : pair.ab, ways === 'in' ? -1 : pair.ba]) {
      const explained = entry === -1 ? 0 : evidence.explain(entry, mask);
      if (explained > 0) entries.push(entry);
      paths += explained;
    }
    const [from, to] = ways === 'out' ? [pair.b, pair.a] : [pair.a, pair.b];
    causes.push({
      subject: { type: 'pair', from, to },
      trouble: 'broken',
      mask,
      isWhole,
      reverseWorks,
      entries,
      paths,
      contradictions,
      ways: ways === 'out' ? 'in' : ways,
      isPartial: false,
    });
  }
  return causes;
}
