import { escapeText } from './escape.js';

export type CsvValue = string | number | undefined;

/**
 * One line of CSV (RFC 4180, but with `
 * `). Control characters are printed as `\x1b`.
 */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\n`;
}

function csvField(value: CsvValue): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const text = escapeText(value);
  return /[",\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
