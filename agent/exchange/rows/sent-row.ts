import type { Row, RowZone } from '../../model/row.js';
import type { PreparedRow } from '../../peers/own-row.js';
import type { Clock } from '../../platform/clock.js';
import { encodeRow } from './row-codec.js';

/** A row is written again at most this often, and only if someone asks for it. */
const minRewriteMs = 1000;

/** The RTTs of a zone count as changed when they moved by this factor. */
const rttFactor = 1.5;

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
}

/** This agent's row, with a tag that changes when the row does: ages and small moves of RTTs are no change. */
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

  current(): EncodedRow {
    const { clock, processId, ownRow } = this.#options;
    const nowMs = clock.nowMs();
    if (nowMs - this.#checkedMs >= minRewriteMs) {
      this.#checkedMs = nowMs;
      const { sent: row, writtenMs } = ownRow();
      if (!this.#row || !tellsTheSame(this.#row, row)) {
        this.#row = row;
        this.#text = encodeRow(row);
        this.#generation++;
        this.#writtenMs = writtenMs;
      }
    }
    const tag = `${processId}.${this.#generation}`;
    return { tag, text: this.#text, ageMs: nowMs - this.#writtenMs };
  }
}

/** Whether two rows tell a reader the same. */
export function tellsTheSame(before: Row, after: Row): boolean {
  const bare = (row: Row) => ({
    ...row,
    paths: row.paths.map(({ node, plane, protocol, state, failure }) => [
      node,
      plane,
      protocol,
      state,
      failure ?? '',
    ]),
    zones: row.zones.map(({ zone, plane, protocol, paths }) => [zone, plane, protocol, paths]),
  });
  if (JSON.stringify(bare(before)) !== JSON.stringify(bare(after))) return false;
  return before.zones.every((zone, index) => isNear(zone, after.zones[index]));
}

function isNear(before: RowZone, after: RowZone | undefined): boolean {
  if (!after) return false;
  const near = (a: number, b: number) => a <= b * rttFactor && b <= a * rttFactor;
  return near(before.p50Ns, after.p50Ns) && near(before.p99Ns, after.p99Ns);
}
