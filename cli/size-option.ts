import { InvalidArgumentError } from 'commander';

const units: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

/** Returns a reader of sizes such as `100MB` within bounds, in bytes. It throws InvalidArgumentError. */
export function sizeReader(minBytes: number, maxBytes: number, bounds: string) {
  return (text: string): number => {
    const [, value, unit = ''] = /^(\d{1,15}(?:\.\d{1,9})?)([a-zA-Z]{1,3})$/.exec(text) ?? [];
    const bytes = Math.round(Number(value) * (units[unit] ?? NaN));
    if (bytes >= minBytes && bytes <= maxBytes) return bytes;
    const expected = Number.isNaN(bytes) ? 'a size such as 100MB or 1GiB' : `a size ${bounds}`;
    throw new InvalidArgumentError(`Expected ${expected}.`);
  };
}
