import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

/** The resources that a process has used so far. */
export interface Usage {
  /** User and system time of all its threads. */
  readonly cpuMs: number;
  readonly residentBytes: number;
  /** The largest resident size so far. */
  readonly peakBytes: number;
  /** The memory that it shares with no other process. */
  readonly privateBytes: number;
  /** How often the main thread waited for something: its voluntary context switches. */
  readonly wakeUps: number;
}

/** USER_HZ. It is the same on every architecture that Node runs on. */
const ticksPerSecond = 100;

/**
 * Reads the resources that a process has used.
 * @throws Error if there is no such process
 */
export async function usageOf(pid: number): Promise<Usage> {
  const [stat, status, memory] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
    readFile(`/proc/${pid}/smaps_rollup`, 'utf8'),
  ]);
  return {
    cpuMs: cpuMsOf(stat),
    residentBytes: memoryOf(status, 'VmRSS'),
    peakBytes: memoryOf(status, 'VmHWM'),
    privateBytes: memoryOf(memory, 'Private_Clean') + memoryOf(memory, 'Private_Dirty'),
    wakeUps: Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1] ?? NaN),
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
 * Starts `node -e 0` and returns its processor time. It comes in ticks, so only the mean of some says much. No
 * other child of this process may end meanwhile.
 */
export async function nodeStartCpuMs(): Promise<number> {
  const childrenCpuMs = async () => cpuMsOf(await readFile('/proc/self/stat', 'utf8'), 'children');
  const before = await childrenCpuMs();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return (await childrenCpuMs()) - before;
}

/**
 * Reads user and system time from /proc/PID/stat, of the process or of its children that have ended. The command's
 * name before them may hold any character.
 */
export function cpuMsOf(stat: string, of: 'process' | 'children' = 'process'): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const first = of === 'process' ? 11 : 13;
  return ((Number(fields[first]) + Number(fields[first + 1])) * 1000) / ticksPerSecond;
}

/** Reads a size from /proc/PID/status or smaps_rollup and returns bytes; NaN if it is missing. */
export function memoryOf(status: string, key: string): number {
  const kilobytes = new RegExp(`^${key}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return Number(kilobytes ?? NaN) * 1024;
}
