import { mappingOf, timeOf } from '../discovery/object-fields.js';

/** How often an Event has come, and when it came last. */
export interface Series {
  readonly count: number;
  /** Epoch milliseconds. */
  readonly lastAt: number;
}

/** Agents do not see a finding open in the same moment. */
const sameOpeningMs = 30_000;
/** The API server takes an int32. */
const mostCount = 2 ** 31 - 1;

/**
 * What the series of an Event is to become.
 * @param text the Event, as the API server has it
 * @param atMs when the finding opened that is to be counted, epoch milliseconds
 * @returns undefined where it tells of that opening already, or where the text is no Event
 */
export function nextSeries(text: string, atMs: number): Series | undefined {
  const event = mappingOf(parsed(text));
  const series = mappingOf(event['series']);
  const lastAt = timeOf(series['lastObservedTime']) ?? timeOf(event['eventTime']);
  if (lastAt === undefined || lastAt > atMs - sameOpeningMs) return undefined;
  const count = Number.isSafeInteger(series['count']) ? Number(series['count']) : 1;
  return { count: Math.min(Math.max(count, 1) + 1, mostCount), lastAt: atMs };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
