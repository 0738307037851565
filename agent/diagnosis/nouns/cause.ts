import type { Subject } from './subject.js';

/** What is wrong with the paths. */
export type Trouble = 'broken' | 'lossy' | 'slow' | 'mtu';

/** The direction that a cause breaks: to the subject, from it, or both. For two subjects `in` is from the first to the other. */
export type Ways = 'in' | 'out' | 'both';

/** The single directions that a direction has. */
export const singleWays = {
  in: ['in'],
  out: ['out'],
  both: ['in', 'out'],
} as const satisfies Record<Ways, readonly Ways[]>;

/** The same direction from the other end. */
export const reversedWays = {
  in: 'out',
  out: 'in',
  both: 'both',
} as const satisfies Record<Ways, Ways>;

/** What a direction has of two numbers: one of the paths to the subject, and one of those from it. */
export function sumOfWays(ways: Ways, into = 0, outOf = 0): number {
  return (ways === 'out' ? 0 : into) + (ways === 'in' ? 0 : outOf);
}

/** One cause: a subject with the channels and the direction that it breaks. */
export interface Cause {
  readonly subject: Subject;
  readonly trouble: Trouble;
  /** The channels that it says fail. Nobody may look at some of them. */
  readonly channels: number;
  /** Those of them on which paths are known. */
  readonly knownChannels: number;
  readonly ways: Ways;
  /** It breaks the paths between the node and some of the others only. */
  readonly isPartial: boolean;
  /** Entries that have paths that it explains. */
  readonly entries: Int32Array;
  /** How many paths it explains. */
  readonly paths: number;
  /** Paths that work although it says that they fail, each by how much it contradicts that. */
  readonly well: number;
  /** What it costs to assume it, and what works against it: in natural logarithms of odds. */
  readonly cost: number;
  /** How much more it explained than it cost when it was chosen. */
  readonly gain: number;
}

/** The channels that any of some causes breaks, as a mask. */
export function channelsOf(causes: readonly Pick<Cause, 'channels'>[]): number {
  return causes.reduce((mask, { channels }) => mask | channels, 0);
}

/** The channels that fail for the whole cluster by some of the causes, as a mask. */
export function channelsOfAll(causes: readonly Pick<Cause, 'channels' | 'subject'>[]): number {
  return channelsOf(causes.filter(({ subject }) => subject.type === 'cluster'));
}

/**
 * The same cause, of some of its channels alone. Whose echoes fail says nothing of servers, and who sees only what fails for all
 * says nothing of a node.
 */
export function onChannels(cause: Cause, mask: number, bad: Uint8Array): Cause {
  const knownChannels = cause.knownChannels & mask;
  const entries = cause.entries.filter((entry) => (bad[entry] ?? 0) & knownChannels);
  return { ...cause, channels: cause.channels & mask, knownChannels, entries };
}

/** The same cause from its other end: of two nodes, zones or groups, where the first becomes the second. One at a single subject stays as it is. */
export function turned(cause: Cause): Cause {
  const { subject } = cause;
  const ways = reversedWays[cause.ways];
  if (subject.type === 'pair') {
    return { ...cause, subject: { type: 'pair', from: subject.to, to: subject.from }, ways };
  }
  if (!('other' in subject) || subject.other === undefined) return cause;
  const { type, group, other } = subject;
  return { ...cause, subject: { type, group: other, other: group }, ways };
}
