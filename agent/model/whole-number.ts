/** A whole number with commas between thousands. Loading the rules of a language takes tens of milliseconds. */
export function withCommas(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}
