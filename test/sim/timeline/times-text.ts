/** A time in seconds: `4.1 s`, or `never` for Infinity. */
export function seconds(ms: number): string {
  return Number.isFinite(ms) ? `${(ms / 1000).toFixed(1)} s` : 'never';
}

/** A part of a whole, with its percentage. */
export function share(part: number, whole: number): string {
  return `${part} of ${whole} (${((100 * part) / Math.max(whole, 1)).toFixed(1)} %)`;
}

/** The spread of some times in milliseconds. Infinity stands for never. */
export function spread(times: readonly number[]): string {
  if (times.length === 0) return 'none';
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  const never = sorted.filter((ms) => ms === Infinity).length;
  const [median, p95, max] = [at(0.5), at(0.95), at(1)].map((ms) => seconds(ms ?? Infinity));
  return `median ${median}, p95 ${p95}, max ${max}${never > 0 ? `, never ${never} of ${sorted.length}` : ''}`;
}
