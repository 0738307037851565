/** A number with its noun, in the plural where it is not one: `1 finding`, `2 findings`. */
export function countOf(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
