import type { Candidate } from '../nouns/finding.js';
import { sizeOf } from '../nouns/channel-mask.js';
import { paced } from '../nouns/steps.js';
import type { Tally } from '../evidence/tally.js';
import { ExplainedNodes } from './explained-nodes.js';

/** The work between two yields, in entries. */
const slice = 2000;
/** The same in rows. */
const rowsInSlice = 50;

/** How many failing paths no open finding explains: those that rows name, and those that they only count. */
export function* unexplainedPaths(
  tally: Tally,
  open: readonly Candidate[],
): Generator<void, number> {
  const { bad, badEntries, index } = tally;
  const explained = new Uint8Array(bad.length);
  const nodes = new ExplainedNodes(index);
  const isEnough = paced(slice);
  for (const cause of open.flatMap((one) => one.explained)) {
    const { entries, knownChannels } = cause;
    for (const entry of entries) explained[entry] = (explained[entry] ?? 0) | knownChannels;
    if (isEnough(20 + entries.length)) yield;
    nodes.add(cause);
  }
  let left = 0;
  for (let at = 0; at < badEntries.length; at++) {
    if ((at + 1) % slice === 0) yield;
    const entry = badEntries[at] ?? 0;
    left += sizeOf((bad[entry] ?? 0) & ~(explained[entry] ?? 0));
  }
  for (const [at, { node, omitted, coverage }] of tally.observations.observers.entries()) {
    if ((at + 1) % rowsInSlice === 0) yield;
    for (let channel = 0; channel < 4; channel++) {
      const count = omitted[channel] ?? 0;
      if (count > 0) left += Math.max(count - nodes.countBeyond(node, coverage, channel), 0);
    }
  }
  return left;
}
