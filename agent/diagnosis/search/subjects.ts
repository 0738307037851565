import type { Cause, Trouble } from '../nouns/cause.js';
import { sizeOf } from '../nouns/channel-mask.js';
import type { ClusterIndex } from '../nouns/cluster-index.js';
import type { Subject } from '../nouns/subject.js';
import type { Pattern } from './subject-paths.js';

/** What the search explains: entries of who looked at what, with the channels that have a trouble. Paths, large packets and targets are such. */
export interface Evidence {
  readonly index: ClusterIndex;
  readonly trouble: Trouble;
  /** For each entry, the channels that have the trouble, as a mask. */
  readonly bad: Uint8Array;
  /** The entries that have a channel with the trouble. */
  readonly badEntries: Int32Array;
  /** How long an entry has had the trouble on a channel, in seconds. */
  readonly ageS: (entry: number, channel: number) => number;
}

/** Where entries are, so that what is open can be summed up: numbers of nodes and groups, -1 for none. */
export interface Places {
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The number of an entry's group of entries, such as those between two zones. */
  readonly groupOf: Int32Array;
  readonly groups: number;
}

/** The subjects of one kind of evidence, and the best cause at each. */
export interface Subjects {
  /** All that may be a cause, but pairs of nodes. */
  readonly all: () => Generator<void, readonly Subject[]>;
  /** The best cause at a subject, given what is open; undefined if none explains more than it costs. */
  readonly best: (subject: Subject) => Cause | undefined;
  /** Whether paths in the other direction than a cause's are known to work. Left out where paths have one direction. */
  readonly worksInReverse?: (cause: Cause) => boolean;
}

/** Makes a cause of what it breaks and the entries that it explains. A partial one is of the paths between a node and some of the others. */
export function causeOf(
  { trouble, bad }: Pick<Evidence, 'trouble' | 'bad'>,
  subject: Subject,
  { channels, knownChannels, ways, well, cost, gain }: Pattern,
  entries: Int32Array,
  isPartial = false,
): Cause {
  let paths = 0;
  for (const entry of entries) paths += sizeOf((bad[entry] ?? 0) & knownChannels);
  // There may be thousands of these: spreading objects takes far longer.
  return {
    subject,
    trouble,
    channels,
    knownChannels,
    ways,
    isPartial,
    entries,
    paths,
    well,
    cost,
    gain,
  };
}
