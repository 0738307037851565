import { channelsOf, type Cause } from '../nouns/cause.js';
import { allMask, causeMasks, channelsIn } from '../nouns/channel-mask.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { ExplainedTrouble } from '../search/explain-trouble.js';
import { causesAtNodes } from './opening.js';
import { pastAtNode } from './remembered-causes.js';

/** One answer may be late. */
const leastSilent = 2;

/**
 * Whether a cause at a node may be one with others there that began before, as what comes next tells: where with them nothing
 * reaches the node, it may be dead until it is heard. Where connections were refused, and nothing answers those any more who see
 * this cause, the rows that still tell of a refusal are from before.
 */
export function mayBeOneWithOthers(
  cause: Cause,
  { causes, tally }: Pick<ExplainedTrouble, 'causes' | 'tally'>,
  { index, previous }: Pick<DiagnosisInput, 'index' | 'previous'>,
  isHeard: boolean,
): boolean {
  const { subject, channels, ways, entries } = cause;
  if (subject.type !== 'node' || ways !== 'in' || channels === allMask) return false;
  const others = (causesAtNodes(causes).get(subject.node) ?? []).filter(
    (one) => one !== cause && one.subject.type === 'node' && one.ways !== 'out',
  );
  if (!isHeard && (channels | channelsOf(others)) === allMask) return true;
  const past = pastAtNode(previous, index.nodes[subject.node]?.name ?? '');
  const { entries: all } = tally.observations;
  return others.some(({ channels: before }) => {
    if (!causeMasks.includes(channels | before)) return false;
    if (!past.some((one) => one.isAnswered && one.channels === before)) return false;
    const silent = entries.filter((entry) =>
      channelsIn(before).every((channel) => all.isTimeout(entry, channel)),
    );
    return silent.length >= leastSilent;
  });
}
