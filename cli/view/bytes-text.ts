/** A size in words: `512 B`, `1.4 MiB`. */
export function bytesText(bytes: number): string {
  const [units, step] = [['KiB', 'MiB', 'GiB'], 1024];
  let [value, unit] = [bytes, 'B'];
  for (const next of units) {
    if (value < step) break;
    [value, unit] = [value / step, next];
  }
  return `${unit === 'B' ? value : value.toFixed(1)} ${unit}`;
}
