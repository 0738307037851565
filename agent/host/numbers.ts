/** A counter of a kernel is read up to what a number holds exactly. */
const decimal = /^\d{1,16}$/;
const hexadecimal = /^[0-9a-f]{1,16}$/i;

/** A whole number from 0 in decimal digits; undefined for anything else, a negative one too. */
export function wholeOf(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? '';
  const value = decimal.test(trimmed) ? Number(trimmed) : NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

/** The same in hexadecimal digits. */
export function hexOf(text: string | undefined): number | undefined {
  const value = hexadecimal.test(text ?? '') ? parseInt(text ?? '', 16) : NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

/** The words of a line. */
export function wordsOf(line: string | undefined): string[] {
  return line?.trim().split(/\s+/) ?? [];
}

/** The sum of numbers; undefined where one is missing. */
export function sumOf(numbers: readonly (number | undefined)[]): number | undefined {
  let sum = 0;
  for (const number of numbers) {
    if (number === undefined) return undefined;
    sum += number;
  }
  return sum;
}
