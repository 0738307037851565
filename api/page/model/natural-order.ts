const collator = new Intl.Collator('en', { numeric: true });

/**
 * Compares two names as people count: `n2` comes before `n10`. Names that read the same come in the
 * order of their characters, so that the order is always one.
 */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b) || Number(a > b) - Number(a < b);
}
