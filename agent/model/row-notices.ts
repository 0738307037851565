/** A row tells of at most so many receivers, and of so many findings each was told of. */
export const maxRowReceivers = 4;
export const maxRowNotices = 32;

/** A receiver failed at most so often in a row, as far as it is counted; versions of what was told end there too. */
export const maxReceiverFailures = 255;
export const maxNoticeVersion = 2 ** 40;

/** What a receiver was told of a finding, or of a storm. */
export const noticePhases = ['degraded', 'broken', 'closed'] as const;
export type NoticePhase = (typeof noticePhases)[number];

/** What a receiver was told of a finding last. */
export interface RowNotice {
  /** 48 bits that say which finding it is. */
  readonly digest: number;
  /** It grows with each message about the finding: of two rows the one with the higher version is newer. */
  readonly version: number;
  readonly phase: NoticePhase;
  /** Seconds since. */
  readonly ageSeconds: number;
  /** The hour that ids of its messages are made of, in hours since the Unix epoch; only where agents could take different ones. */
  readonly hour?: number;
}

/** What an observer knows that a receiver of notices was told, by itself or by another agent. */
export interface RowReceiver {
  /** 48 bits that say which receiver it is. */
  readonly digest: number;
  /** It grows with the beginning and the end of each try. */
  readonly version: number;
  /** How often in a row it did not take a message. */
  readonly failures: number;
  /** Some agent is sending it a message. */
  readonly isBeingSent: boolean;
  /** Seconds since the last try began or ended. */
  readonly triedSeconds: number;
  readonly sent: readonly RowNotice[];
}
