/** The round trips that a tool printed for each address, in nanoseconds and in order. */
export type Times = ReadonlyMap<string, readonly number[]>;

/**
 * Reads the output of `fping -C N -q`. It has one line per target, with milliseconds or a dash per
 * round.
 */
export function readFping(output: string): Times {
  const times = new Map<string, readonly number[]>();
  for (const line of output.split('\n')) {
    const [, ip, figures] = /^(\S+)\s+:((?:\s+(?:[\d.]+|-))+)\s*$/.exec(line) ?? [];
    if (ip === undefined || figures === undefined) continue;
    const numbers = figures.trim().split(/\s+/).map(Number);
    times.set(ip, numbers.filter(Number.isFinite).map(toNs));
  }
  return times;
}

/** Reads the output of `ping -n`, with one line per reply. */
export function readPing(output: string): Times {
  const times = new Map<string, number[]>();
  for (const [, ip = '', ms] of output.matchAll(/ from ([\d.]+): .*time=([\d.]+) ms/g)) {
    times.set(ip, [...(times.get(ip) ?? []), toNs(Number(ms))]);
  }
  return times;
}

function toNs(ms: number): number {
  return Math.round(ms * 1e6);
}
