/** A round trip as people read it: three digits and a unit. */
export function formatRtt(ns: number | undefined): string {
  if (ns === undefined) return '–';
  if (ns < 1e3) return `${Math.round(ns)} ns`;
  if (ns < 1e6) return `${threeDigits(ns / 1e3)} µs`;
  if (ns < 1e9) return `${threeDigits(ns / 1e6)} ms`;
  return `${threeDigits(ns / 1e9)} s`;
}

function threeDigits(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/**
 * Formats a share from 0 to 1 in percent. It has enough digits that a small loss does not read as
 * zero.
 */
export function formatShare(share: number | undefined): string {
  if (share === undefined) return '–';
  const percent = share * 100;
  if (percent === 0 || percent >= 10) return `${Math.round(percent)} %`;
  return percent < 0.1 ? '< 0.1 %' : `${percent.toFixed(1)} %`;
}
