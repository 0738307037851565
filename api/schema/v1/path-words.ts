/** How a reachable path may be bad: it loses probes, or its RTT is well above what it was. */
export type PathTrouble = 'lossy' | 'slow';

/** In which ways a path is bad; empty if in none. */
export function troublesOf(path: {
  readonly lossy?: boolean | undefined;
  readonly slow?: boolean | undefined;
}): PathTrouble[] {
  return [...(path.lossy ? (['lossy'] as const) : []), ...(path.slow ? (['slow'] as const) : [])];
}
