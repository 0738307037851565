/**
 * The size of a fuzz test: quick by default, `FUZZ_FACTOR` times as large in `npm run test:long`.
 * @throws RangeError if FUZZ_FACTOR is no positive number
 */
export function fuzzScale(quick: number): number {
  const factor = Number(process.env['FUZZ_FACTOR'] ?? 1);
  if (!(factor > 0)) {
    throw new RangeError(
      `FUZZ_FACTOR: expected a positive number, got ${process.env['FUZZ_FACTOR']}`,
    );
  }
  return Math.ceil(quick * factor);
}
