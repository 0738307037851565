import { readFile } from 'node:fs/promises';

/** What a process has used so far. */
export interface Usage {
  /** User and system time of all its threads. */
  readonly cpuMs: number;
  readonly residentBytes: number;
  /** The most it ever held. */
  readonly peakBytes: number;
}

/** USER_HZ, the same on every architecture that Node runs on. */
const ticksPerSecond = 100;

/**
 * Reads what a process has used.
 * @throws Error where there is no such process
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

/** The time its first thread ran, which the scheduler counts much finer than the process's ticks. */
export async function threadCpuMs(pid: number): Promise<number> {
  const [ranNs] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(ranNs) / 1e6;
}

/** utime and stime of /proc/PID/stat; the command's name before them may hold anything. */
export function cpuMsOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/** A size that /proc/PID/status gives in kB, in bytes; NaN where it gives none. */
export function memoryOf(status: string, key: string): number {
  const kilobytes = new RegExp(`^${key}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return Number(kilobytes ?? NaN) * 1024;
}
