import { formatDurationNs } from '../../api/duration.js';

/**
 * The time between two RFC 3339 times in whole seconds, such as `2m10s`; undefined if one is
 * invalid.
 */
export function durationText(from: string, to: string): string | undefined {
  const ms = Date.parse(to) - Date.parse(from);
  return Number.isNaN(ms) ? undefined : secondsText(Math.max(ms, 0) / 1000);
}

/** Formats seconds as a duration, with one decimal below ten seconds. */
export function secondsText(seconds: number): string {
  const rounded = seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds);
  return formatDurationNs(rounded * 1e9);
}

/** A number and its noun: `1 node`, `2 nodes`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** What fails without a known cause: `2 failing pairs and 1 failing target`; empty if nothing does. */
export function unexplainedText(pairs: number, targets: number): string {
  return [
    ...(pairs > 0 ? [countText(pairs, 'failing pair')] : []),
    ...(targets > 0 ? [countText(targets, 'failing target')] : []),
  ].join(' and ');
}
