const unitNs: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

/**
 * Reads a duration such as `500ms`, `10s`, `1m30s` or `1.5h` and returns milliseconds. The result
 * is undefined if the text is not a duration. A number without a unit is not one.
 */
export function parseDurationMs(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text) || text.length > 40) return undefined;
  let totalNs = 0;
  for (const [, value, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)) {
    totalNs += Number(value) * (unitNs[unit ?? ''] ?? NaN);
  }
  return totalNs / 1e6;
}

/** Prints nanoseconds as Go's `time.Duration.String` does: `0s`, `405.072µs`, `1m30s`. */
export function formatDurationNs(ns: number): string {
  const whole = Math.round(ns);
  if (whole < 0) return `-${formatDurationNs(-whole)}`;
  if (whole === 0) return '0s';
  if (whole < 1e3) return `${whole}ns`;
  // So few digits are printed exactly.
  if (whole < 1e6) return `${whole / 1e3}µs`;
  if (whole < 1e9) return `${whole / 1e6}ms`;
  const hours = Math.floor(whole / 3600e9);
  const minutes = Math.floor((whole % 3600e9) / 60e9);
  const seconds = `${secondsText(whole % 60e9)}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}

/** Nanoseconds as seconds in exact decimal notation without trailing zeros. */
function secondsText(ns: number): string {
  const text = String(ns).padStart(10, '0');
  const fraction = text.slice(-9).replace(/0+$/, '');
  const whole = text.slice(0, -9);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
