import { channelsIn } from '../nouns/channel-mask.js';
import type { Cause, Ways } from '../nouns/cause.js';
import type { PacketWays } from '../nouns/sight.js';
import { sidesOf } from '../nouns/subject.js';
import type { Tally } from './tally.js';

/** So many entries represent all. Those of one node in a large cluster are fewer. */
const mostEntries = 8192;

/** What its witnesses say of a cause about large packets: on each path who tested it, and what it says. */
export function lossesOf({ entries, knownChannels }: Cause, { bad, observations }: Tally) {
  const { large, entries: all } = observations;
  return Array.from(entries.subarray(0, mostEntries), (entry) => {
    const [observer, target] = [all.from[entry] ?? -1, all.to[entry] ?? -1];
    return channelsIn((bad[entry] ?? 0) & knownChannels).flatMap((channel) => {
      const loss = large.lossOf(entry, channel);
      return loss ? { observer, target, loss } : [];
    });
  }).flat();
}

/** The way of the lost packets, not that of the tests: of a test whose answer is lost it is the way back. */
export function packetWaysOf(
  { subject }: Cause,
  { index }: Tally,
  losses: ReturnType<typeof lossesOf>,
): PacketWays {
  if (subject.type === 'cluster') return { ways: 'both', isToldByBoth: true };
  const { isIn: isInside } = sidesOf(subject, index).inner;
  // A row has room for few losses, so those inside may tell of far fewer than all others.
  const said = [true, false].flatMap(
    (ofInside) =>
      mostSaid(
        losses
          .filter(({ observer }) => isInside(observer) === ofInside)
          .map(({ observer, target, loss }) => isInside(loss.isBack === true ? target : observer)),
      ) ?? [],
  );
  const [first = 'both', second = first] = said;
  return { ways: first === second ? first : 'both', isToldByBoth: said.length === 2 };
}

/** The way that most on one side say, by whether each says that they are lost on the way out; undefined if nobody says anything. */
function mostSaid(areOut: readonly boolean[]): Ways | undefined {
  if (areOut.length === 0) return undefined;
  const out = areOut.filter((isOut) => isOut).length;
  return 2 * out === areOut.length ? 'both' : 2 * out > areOut.length ? 'out' : 'in';
}
