import type { Ways } from './cause.js';
import type { Direction, Finding } from './finding.js';
import type { NamedCause } from './named-cause.js';

/** What is remembered of a finding between two runs, and for some minutes after it closes. Times are monotonic milliseconds. */
export interface FindingMemory {
  /** Since when its causes are seen without a gap; undefined while they are not seen. */
  readonly seenSinceMs: number | undefined;
  readonly lastSeenMs: number;
  /** Since when nothing that is still to come can make another cause of it; undefined while something can. */
  readonly sureSinceMs: number | undefined;
  /** The `since` of the first of its openings. */
  readonly sinceMs: number;
  /** The `since` that is shown, or was last; undefined before it opens. The clock may be set while it is open, the text stays. */
  readonly shownSinceMs: number | undefined;
  /** Each time that it opened, oldest first. */
  readonly openings: readonly Opening[];
  /** The finding as it was last shown; undefined while it is closed. */
  readonly finding: Finding | undefined;
  /** What it said when it was last seen, without how often it came and went. */
  readonly sentence: string;
  /** When it closed last; undefined while it is open, or if it never was. */
  readonly closedMs: number | undefined;
  /** It was told no more while its paths failed still. Then it has not come and gone. */
  readonly isUnended: boolean;
  /** How many paths it explained at most since it opened. */
  readonly paths: number;
  /** Its causes, when they were last seen. */
  readonly causes: readonly NamedCause[];
  /** The nodes that it was about, when they were last seen, where neither its id nor its causes say so. */
  readonly nodes?: readonly string[];
}

/** That a finding opened once, and in which direction it failed, as it was told last. */
export interface Opening {
  readonly atMs: number;
  readonly direction: Direction | undefined;
}

/** What faults of paths explained: all looks of a node from a plane, or one of them; and all looks of a node whose row did not come. */
export type Shadows = ReadonlyMap<string, Shadow>;

/**
 * Until when a fault explained looks, in monotonic milliseconds. It ended somewhere between two runs, and looks that were
 * sent before the end may have failed by it. So it is over with the first run that finds no more of it.
 */
export interface Shadow {
  /** What began to fail before that is not explained; absent: all is. */
  readonly fromMs?: number;
  readonly toMs: number;
  readonly isOver: boolean;
}

/** For how much of the last minutes some path failed that no finding explained. Times are monotonic milliseconds. */
export interface StrayReports {
  readonly atMs: number;
  readonly strayMs: number;
  readonly watchedMs: number;
}

/** Whether a node with failing paths lives, as its own GETs tell. Times are monotonic milliseconds. */
export interface LivesSince {
  /** When the first of them came since its trouble began; undefined while none has. */
  readonly heardMs: number | undefined;
  /** Its paths are sure to have failed since then. */
  readonly isLasting: boolean;
}

/** A cause of broken paths that was shown, from its beginning to its end. Times are monotonic milliseconds. */
export interface PastCause extends NamedCause {
  readonly ways: Ways;
  /** It was told as a node or agent that sends nothing, so whatever it sends ends it. */
  readonly isSilent: boolean;
  /** Nothing that its node sent on its channels was answered, so the first answers end it. */
  readonly isUnanswered: boolean;
  /** Most of its paths to a node failed by an answer, such as a refused connection: where nothing answers any more, it is over. */
  readonly isAnswered: boolean;
  /** Of a node: the least share of its paths that worked while it was shown, from 0 to 1. So many tell nothing of its end. */
  readonly working: { readonly share: number; readonly sinceMs: number };
  /** Of zones, groups, the cluster, and a node that is not reached, unless many causes are told: the greatest share of its paths that failed lately, from 0 to 1, since when so many fail, and until when. */
  readonly failing: { readonly share: number; readonly sinceMs: number; readonly lastMs: number };
  readonly beganMs: number;
  /** When it was shown last; of one that has ended at a node without a row, when that row was still missing. */
  readonly shownMs: number;
  /** When it ended; undefined while it goes on, as far as rows tell. */
  readonly endedMs: number | undefined;
  /** When rows told so first: it was over by then, whatever the error of `endedMs`. */
  readonly overMs: number | undefined;
}
