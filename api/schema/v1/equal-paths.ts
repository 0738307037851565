/**
 * About how many equal paths there are, of which one is broken, with the range: routers spread flows evenly
 * over equal paths. A link that is dead in both directions makes nearly twice as many flows fail.
 * @param failing flows that never pass
 */
export function equalPathsText(failing: number, tried: number): string {
  const [least, most] = likelyShares(failing, tried);
  // A connection that takes a broken path both there and back is lost once.
  const both = Math.max(2, Math.round(1 / (1 - Math.sqrt(1 - failing / tried))));
  if (least > 0.5) return `one of about ${both} equal paths is broken, there and back`;
  const paths = (share: number): number => Math.max(2, Math.round(1 / share));
  const isExact = paths(most) === paths(least);
  const about = isExact ? '' : `about `;
  const range = isExact ? '' : ` (${paths(most)} to ${paths(least)})`;
  return `one of ${about}${paths(failing / tried)} equal paths${range} is broken, there or back; if both, one of about ${both}`;
}

/** Between which shares the true one is, 19 times of 20 (the interval of Wilson). */
function likelyShares(count: number, of: number): [number, number] {
  const z = 1.96;
  const share = count / of;
  const middle = share + z ** 2 / (2 * of);
  const half = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  const scale = 1 + z ** 2 / of;
  return [(middle - half) / scale, (middle + half) / scale];
}
