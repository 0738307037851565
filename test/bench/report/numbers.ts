/** Formats nanoseconds as microseconds, or as milliseconds from 1 ms on. */
export function micros(ns: number): string {
  return Math.abs(ns) < 1e6 ? `${short(ns / 1000)} µs` : duration(ns / 1e6);
}

/** Formats milliseconds, or seconds from 1 s on. */
export function duration(ms: number): string {
  return Math.abs(ms) < 1000 ? `${short(ms)} ms` : `${short(ms / 1000)} s`;
}

export function megabytes(bytes: number): string {
  return `${short(bytes / 1e6)} MB`;
}

/** Formats a share as a percentage. */
export function percent(share: number): string {
  return `${short(share * 100)} %`;
}

/** Formats 5000 as `5,000`. */
export function count(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}

/** Formats a number with three significant digits and without trailing zeros. */
export function short(number: number): string {
  if (!Number.isFinite(number)) return '?';
  const digits = Math.abs(number) >= 100 ? 0 : Math.abs(number) >= 10 ? 1 : 2;
  return number.toFixed(digits);
}
