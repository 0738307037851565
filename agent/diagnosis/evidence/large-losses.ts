import { channelsIn } from '../nouns/channel-mask.js';
import type { RowLargeLoss } from '../../model/row-large.js';
import type { Cause, Ways } from '../nouns/cause.js';
import type { PacketWays } from '../nouns/sight.js';
import { sidesOf } from '../nouns/subject.js';
import type { Tally } from './tally.js';

/** So many entries represent all. Those of one node in a large cluster are fewer. */
const mostEntries = 8192;

/** A path on which large packets are lost: who tested it, and what it says. */
export interface LargeLoss {
  readonly observer: number;
  readonly target: number;
  readonly loss: RowLargeLoss;
}

/** What its witnesses say of a cause about large packets. */
export function lossesOf(
  { entries, knownChannels }: Cause,
  { bad, observations }: Tally,
): LargeLoss[] {
  const { large, entries: all } = observations;
  const losses: LargeLoss[] = [];
  for (const entry of entries.subarray(0, mostEntries)) {
    const [observer, target] = [all.from[entry] ?? -1, all.to[entry] ?? -1];
    for (const channel of channelsIn((bad[entry] ?? 0) & knownChannels)) {
      const loss = large.lossOf(entry, channel);
      if (loss) losses.push({ observer, target, loss });
    }
  }
  return losses;
}

/** The way of the lost packets, not that of the tests: of a test whose answer is lost it is the way back. */
export function packetWaysOf(
  { subject }: Cause,
  { index }: Tally,
  losses: readonly LargeLoss[],
): PacketWays {
  if (subject.type === 'cluster') return { ways: 'both', isToldByBoth: true };
  const { isIn: isInside } = sidesOf(subject, index).inner;
  // A row has room for few losses, so those inside may tell of far fewer than all others.
  const [inside, outside] = [new Sayings(), new Sayings()];
  for (const { observer, target, loss } of losses) {
    const of = isInside(observer) ? inside : outside;
    of.add(isInside(loss.isBack === true ? target : observer) ? 'out' : 'in');
  }
  const said = new Set([inside.most, outside.most].filter((ways) => ways !== undefined));
  const [first = 'both'] = said;
  return {
    ways: said.size === 1 ? first : 'both',
    isToldByBoth: inside.most !== undefined && outside.most !== undefined,
  };
}

/** What those on one side say. */
class Sayings {
  readonly #counts = { in: 0, out: 0 };

  add(way: 'in' | 'out'): void {
    this.#counts[way]++;
  }

  /** The way that more of them say; undefined if nobody says anything. */
  get most(): Ways | undefined {
    const { in: into, out } = this.#counts;
    return into + out === 0 ? undefined : into === out ? 'both' : into > out ? 'in' : 'out';
  }
}
