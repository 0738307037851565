import { rowRewriteMs, type Row } from '../../model/row.js';
import type { RowTarget } from '../../model/target.js';
import type { SuspectedTarget } from '../hints/target-rumours.js';
import type { PreparedRow } from '../../peers/own-row.js';
import { boundRow } from '../../peers/row/build-row.js';
import { encodeRow, tellsTheSame } from '../../peers/row/row-text.js';
import type { Clock } from '../../platform/clock.js';

/** Without any doubt a look at a target is told after so many intervals of the GETs, or later. */
const looksSentAfterIntervals = 4;
const looksSentAfterMs = 60_000;

/** With the head of the answer and a signature, so many bytes of a row fit into one packet of any path. */
const mostPlainBytes = 900;
/** Of a row that is too large for that so many nodes and paths are told. */
const fewNodes = 4;

/** Ages are told in whole seconds. */
const ageErrorMs = 2500;

/** An agent's row as it is sent. */
export interface EncodedRow {
  /** Identifies these contents, also across restarts. */
  readonly tag: string;
  readonly text: string;
  /** Since it was written, in milliseconds. */
  readonly ageMs: number;
}

export interface SentRowOptions {
  readonly clock: Clock;
  /** Tells this process from an earlier one: lower-case letters and digits. */
  readonly processId: string;
  /** The own row, as recent as it can be had. */
  readonly ownRow: () => PreparedRow;
  /** The targets that some node saw fail lately; left out, there are none. */
  readonly suspected?: () => readonly SuspectedTarget[];
}

/**
 * This agent's row, with a tag that changes when the row does: ages and small moves of RTTs are no change.
 *
 * A look at a target that found what the one before found is no change either, or every row would be sent with
 * every GET. Readers ask whether an observer has looked since some other began to fail, so a look is told
 * - when a hint says that the target fails somewhere, and this is the first look since then;
 * - without any hint when the look that was told last is a minute old, or four intervals of the GETs.
 */
export class SentRow {
  readonly #options: SentRowOptions;
  #row: Row | undefined;
  #text = '';
  #generation = 0;
  #writtenMs = 0;
  #checkedMs = -Infinity;

  constructor(options: SentRowOptions) {
    this.#options = options;
  }

  /** Peers hear a hint now and ask for what it tells of: the next one gets it, however new the last row is. */
  renew(): void {
    this.#checkedMs = -Infinity;
  }

  current(): EncodedRow {
    const { clock, processId, ownRow } = this.#options;
    const nowMs = clock.nowMs();
    if (nowMs - this.#checkedMs >= rowRewriteMs) {
      this.#checkedMs = nowMs;
      const { sent: row, writtenMs } = ownRow();
      const isSame =
        this.#row !== undefined &&
        tellsTheSame(this.#row, row) &&
        !this.#hasProbed(row, writtenMs) &&
        !this.#hasTestedAgain(row, writtenMs);
      if (!isSame) {
        this.#row = row;
        this.#text = encodeRow(row);
        this.#generation++;
        this.#writtenMs = writtenMs;
      }
    }
    const tag = `${processId}.${this.#generation}`;
    // The clock is read again: the row may have been written since this began, and peers refuse an age below zero.
    return { tag, text: this.#text, ageMs: clock.nowMs() - this.#writtenMs };
  }

  /**
   * The same for a peer to which large packets are lost: as much of the row as fits into one packet. Without it no
   * answer would come there, and its GETs would fail.
   */
  currentSmall(): EncodedRow {
    const encoded = this.current();
    if (!this.#row || encoded.text.length <= mostPlainBytes) return encoded;
    const { large, ...rest } = boundRow(this.#row, { mostNodes: fewNodes });
    const few = large && {
      lost: large.lost.slice(0, fewNodes),
      passed: large.passed.slice(0, fewNodes),
    };
    return {
      ...encoded,
      text: encodeRow({ ...rest, targets: [], notices: [], zones: [], ...(few && { large: few }) }),
    };
  }

  /** Whether a path on which large packets passed was tested again: readers ask whether that was after a loss. */
  #hasTestedAgain({ large }: Row, writtenMs: number): boolean {
    const { passed: last = [] } = this.#row?.large ?? {};
    return (large?.passed ?? []).some(({ ageSeconds }, index) => {
      const sentMs = this.#writtenMs - (last[index]?.ageSeconds ?? 0) * 1000;
      return writtenMs - ageSeconds * 1000 - sentMs > ageErrorMs;
    });
  }

  /** Whether there is a look at a target that readers are to know of. */
  #hasProbed({ targets = [], httpIntervalMs }: Row, writtenMs: number): boolean {
    const { targets: last = [] } = this.#row ?? {};
    if (targets.length === 0) return false;
    const suspected = this.#options.suspected?.() ?? [];
    const mostMs = Math.max(looksSentAfterMs, looksSentAfterIntervals * httpIntervalMs);
    return targets.some((target, index) => {
      const before = last[index];
      if (!before) return false;
      const sentMs = this.#writtenMs - before.probedSeconds * 1000;
      const lookedMs = writtenMs - target.probedSeconds * 1000;
      if (lookedMs - sentMs > mostMs) return true;
      return suspected.some(
        (one) => isOf(target, one) && sentMs < one.sinceMs && lookedMs >= one.sinceMs,
      );
    });
  }
}

/** From which plane it fails does not matter: what can be reached from the other one tells as much. */
function isOf({ target, digest }: RowTarget, one: SuspectedTarget): boolean {
  return target === one.target && digest === one.digest;
}
