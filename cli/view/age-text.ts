import { formatDurationNs } from '../../api/duration.js';

/** The time between two RFC 3339 times in whole seconds, as `2m10s`; undefined where one is none. */
export function durationText(from: string, to: string): string | undefined {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isNaN(ms) ? undefined : secondsText(Math.max(ms, 0) / 1000);
}

/** Seconds as a duration with no more digits than a reader needs. */
export function secondsText(seconds: number): string {
  const rounded = seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds);
  return formatDurationNs(rounded * 1e9);
}

/** `1 node`, `2 nodes`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
