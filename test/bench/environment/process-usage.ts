import { readFile } from 'node:fs/promises';

/** The resources that a process has used so far. */
export interface Usage {
  /** User and system time of all its threads. */
  readonly cpuMs: number;
  readonly residentBytes: number;
  /** The largest resident size so far. */
  readonly peakBytes: number;
}

/** USER_HZ. It is the same on every architecture that Node runs on. */
const ticksPerSecond = 100;

/**
 * Reads the resources that a process has used.
 * @throws Error if there is no such process
 */
export async function usageOf(pid: number): Promise<Usage> {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ]);
  return {
    cpuMs: cpuMsOf(stat),
    residentBytes: memoryOf(status, 'VmRSS'),
    peakBytes: memoryOf(status, 'VmHWM'),
  };
}

/**
 * The processor time of the first thread. The scheduler counts it much more finely than the ticks
 * of the process.
 */
export async function threadCpuMs(pid: number): Promise<number> {
  const [ranNs] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(ranNs) / 1e6;
}

/**
 * Reads utime and stime of /proc/PID/stat. The command's name before them may hold any character.
 */
export function cpuMsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/** Reads a size from /proc/PID/status and returns bytes; NaN if it is missing. */
export function memoryOf(status: string, key: string): number {
  const kilobytes = new RegExp(`^${key}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return Number(kilobytes ?? NaN) * 1024;
}
