import type { Ways } from '../nouns/cause.js';
import { noPaths, type Side } from '../nouns/sight.js';
import type { Subject } from '../nouns/subject.js';
import type { FormerCauses } from './former-causes.js';
import type { Weights } from './weights.js';

/** The paths of a subject in one direction, and the weight of those that nothing explains yet. */
export interface OpenSide extends Side {
  readonly open: ArrayLike<number>;
}

/** The channels and the direction that a cause at a subject would break, and what that gains. */
export interface Pattern {
  readonly channels: number;
  readonly knownChannels: number;
  readonly ways: Ways;
  readonly well: number;
  readonly cost: number;
  /** The weight of what it would newly explain, less its cost. */
  readonly gain: number;
}

/** What was told lately of the paths to a node and of those from it. */
export interface PastCauses {
  /** Whether a cause that is over broke a channel, or may have before this agent started: when its paths began to fail for another one, they do not tell. */
  readonly isOver: (channel: number) => boolean;
  /** Whether that was told as one cause, which goes on as far as is known. */
  readonly wasOne: (channels: number, ways: Ways) => boolean;
}

/** A subject, with its paths in both directions. */
export interface SubjectPaths {
  readonly type: Subject['type'];
  readonly weights: Weights;
  /** How many subjects of that type there are. */
  readonly subjects: number;
  readonly to: OpenSide;
  /** `noSide` for the cluster and for targets, whose paths have one direction. */
  readonly from: OpenSide;
  /** The channels on which most failures are answers: of what leads there, and of what comes from there. */
  readonly answering?: number;
  readonly answered?: number;
  /** How many nodes there are, where fewer than two on one side are affected. */
  readonly loneIn?: number | undefined;
  /** How many of its failing paths in a direction other causes explain, by channel. */
  readonly explainedPaths?: (way: 'in' | 'out') => readonly number[];
  /** How many of its paths that another cause explains worked when what nothing explains yet began. */
  readonly workedMeanwhile?: (mask: number, ways: Ways) => number;
  /** For each channel and direction, when its paths began to fail, in seconds ago. */
  readonly beganS?: (channel: number, ways: 'in' | 'out') => number;
  /** Of a node: what was told of it lately; undefined where it is not asked. */
  readonly pastCauses?: PastCauses | undefined;
  /** The channels that another cause at the same node explains, as a mask. */
  readonly explained?: number;
  /** The same of causes of the whole cluster. */
  readonly everywhere?: number;
  /** Channels of one cause begin to fail within this time, in seconds. */
  readonly onsetS?: number;
  /** The two directions of one cause begin to fail within this time, in seconds. */
  readonly bothWaysS?: number;
  /** How far apart the two directions began to fail, in HTTP intervals. */
  readonly apart?: number;
  /** What speaks for a cause here beside its paths. */
  readonly support?: number;
  /** The channels of its causes in the last run; undefined if it had none. */
  readonly known: FormerCauses | undefined;
  /** For lossy and slow paths: the usual share by channel. */
  readonly usual?: readonly number[];
  /** The share among the other paths at the nodes of a pair, by channel. */
  readonly around?: readonly number[];
}

/** The same of a direction without paths. */
export const noSide: OpenSide = { ...noPaths, open: noPaths.bad };
