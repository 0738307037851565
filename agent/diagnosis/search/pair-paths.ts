import { countChannels, rowChannel } from '../nouns/channel-mask.js';
import type { Subject } from '../nouns/subject.js';
import { testedSide } from '../evidence/large-packets.js';
import { reportedChannels } from '../evidence/coverage.js';
import { observerAt } from '../evidence/observations.js';
import { addWorking, noneProbed, detectS } from '../evidence/time-model.js';
import type { Tally } from '../evidence/tally.js';
import type { Side } from '../nouns/sight.js';
import type { Explanation } from './explanation.js';

/** What is known of pairs of nodes from outside. */
export interface PairFacts {
  readonly tally: Tally;
  readonly explanation: Explanation;
  /** Whether the local node, which is the first, heard the other one until it failed to reach it, and not since. */
  readonly fellSilent: (from: number, to: number, ageS: number) => boolean;
}

/** The paths between two nodes, the weight of a report that another observation replaces, and how far apart the two began. */
export function pairPaths(
  { from: a, to: b }: Subject & { readonly type: 'pair' },
  { tally, explanation, fellSilent }: PairFacts,
) {
  const { size } = tally.index;
  const [there, back] = [tally.entryOf(a, b), tally.entryOf(b, a)];
  const beganS = Math.max(tally.oldestS(there), tally.oldestS(back)) + detectS;
  const side = (from: number, to: number, entry: number) => {
    const open = explanation.openOf([entry]);
    const ageS = tally.oldestS(entry, explanation.openMask(entry));
    return { ...sideOfPair(tally, from, to, entry, beganS), open, ageS };
  };
  const [to, from] = [side(a, b, there), side(b, a, back)];
  // An end of a cut pair gets no row of the other end. If that one fell silent when its host HTTP
  // failed, this counts as if it reported the same. Whom most do not reach gets the GETs of few.
  const isSilent =
    tally.trouble === 'broken' &&
    tally.observations.observerOf[b] === -1 &&
    (to.open[rowChannel] ?? 0) > 0 &&
    fellSilent(a, b, tally.ageS(there, rowChannel)) &&
    !mostFail(tally.toNode(a));
  const support = isSilent ? to.open.reduce((sum, open) => sum + open, 0) : 0;
  const isBoth = to.ageS > 0 && from.ageS > 0;
  const apart = isBoth ? Math.abs(to.ageS - from.ageS) / tally.times.intervalS : 0;
  return { subjects: (size * (size - 1)) / 2, to, from, support, apart };
}

/** Whether most known paths fail on the channel on which rows come. */
function mostFail({ bad, probed }: Side): boolean {
  return (bad[rowChannel] ?? 0) > (probed[rowChannel] ?? 0);
}

/** @param entry that of the first node about the other one; -1 if there is none: nothing is known of that */
function sideOfPair(tally: Tally, from: number, to: number, entry: number, beganS: number): Side {
  const { index, observations, trouble, times } = tally;
  const bad = countChannels([entry], (one) => tally.bad[one] ?? 0);
  if (trouble === 'mtu') return testedSide(bad, observations.entries, [entry]);
  const observer = observerAt(observations, from);
  const mayBeWell = (index.masks[to] ?? 0) & ~tally.notWell(entry);
  const reported = observer ? reportedChannels(observer, to, mayBeWell, index) : 0;
  const working = times.alone.map((time, channel) => {
    const one = noneProbed();
    if (observer && (reported >> channel) & 1) addWorking(one, beganS, observer.ageS, time, 1);
    return one;
  });
  return {
    bad,
    well: working.map(({ misfit }) => misfit),
    probed: working.map(({ probed }) => probed),
    reported: [0, 0, 0, 0],
  };
}
