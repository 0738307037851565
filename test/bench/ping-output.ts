/** The round trips a tool printed of each address, in nanoseconds and in the order they were made. */
export type Times = ReadonlyMap<string, readonly number[]>;

/** Reads what `fping -C N -q` leaves: a line per target, milliseconds or a dash per round. */
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

/** Reads what `ping -n` prints: a line per reply. */
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
