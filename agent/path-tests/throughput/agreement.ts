import { throughputLimits } from '../../../api/schema/v1/throughput-limits.js';

/** What both ends agreed on: one measurement of one direction takes at most this. */
export interface Agreement {
  readonly ms: number;
  readonly bytes: number;
  readonly streams: number;
}

/** Which way the bytes go, as the one sees it who asked for the test. */
export type Way = 'to' | 'from';

/** What the receiver of a measurement counted. */
export interface Counted {
  readonly bytes: number;
  /** From the first byte to the last, or to the end of the time. */
  readonly us: number;
}

/** What its sender knows. */
export interface Sent {
  readonly bytes: number;
  /** Segments sent again, as TCP_INFO of its connections says; undefined where it cannot be read. */
  readonly retransmissions: number | undefined;
}

/** Beside the agreed time, a step may take so long: the network may hold what is on the way in its queues. */
export const stepMs = 12_000;
/** Each step up to the first byte of a measurement. */
export const openingMs = 5000;

/** How long one session may last, whatever the other end does: four measurements, and what is between them. */
export function sessionMs({ ms }: Agreement): number {
  return 4 * (ms + stepMs + openingMs) + openingMs;
}

/** Reads a whole number from a message; undefined where it has none of that name. */
export function readCount(fields: ReadonlyMap<string, string>, name: string): number | undefined {
  const text = fields.get(name) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Reads an agreement from a message; undefined where it is none, or more than any end takes part in. */
export function readAgreement(fields: ReadonlyMap<string, string>): Agreement | undefined {
  const whole = (name: string, min: number, max: number): number => {
    const value = readCount(fields, name) ?? NaN;
    return value >= min && value <= max ? value : NaN;
  };
  const { seconds, bytes, streams } = throughputLimits;
  const agreement = {
    ms: whole('ms', seconds.min * 1000, seconds.max * 1000),
    bytes: whole('bytes', bytes.min, bytes.max),
    streams: whole('streams', streams.min, streams.max),
  };
  return Object.values(agreement).some(Number.isNaN) ? undefined : agreement;
}
