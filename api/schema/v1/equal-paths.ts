/**
 * About how many equal paths there are, of which one is broken, with the range: routers spread flows evenly
 * over equal paths.
 * @param failing flows that never pass
 */
export function equalPathsText(failing: number, tried: number): string {
  const [least, most] = likelyShares(failing, tried);
  const paths = (share: number): number => Math.max(1, Math.round(1 / share));
  if (paths(most) === paths(least)) return `one of ${paths(most)} equal paths is broken`;
  return `one of about ${paths(failing / tried)} equal paths (${paths(most)} to ${paths(least)}) is broken`;
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
