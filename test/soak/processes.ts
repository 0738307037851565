import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FigureName } from './figures.js';

/** Figures of a process that the kernel knows. */
export type ProcessFigures = Partial<Record<FigureName, number>>;

/** What the kernel says of a process; undefined if it has ended. */
export async function readProcess(
  pid: number,
): Promise<(ProcessFigures & { switches: number }) | undefined> {
  try {
    const [memory, status, links] = await Promise.all([
      readFile(`/proc/${pid}/smaps_rollup`, 'utf8'),
      readFile(`/proc/${pid}/status`, 'utf8'),
      readLinks(`/proc/${pid}/fd`),
    ]);
    return {
      ...memoryOf(memory),
      descriptors: links.length,
      sockets: links.filter((link) => link.startsWith('socket:')).length,
      // Of the main thread, which runs the event loop.
      switches: Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]),
    };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ESRCH'].includes(code)) return undefined;
    throw error;
  }
}

/** The resident and private memory in megabytes, from the text of /proc/PID/smaps_rollup. */
export function memoryOf(text: string): { resident: number; private: number } {
  const megabytes = (name: string) =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) * 1024) / 1e6;
  return {
    resident: megabytes('Rss'),
    private: megabytes('Private_Clean') + megabytes('Private_Dirty'),
  };
}

async function readLinks(folder: string): Promise<string[]> {
  // A descriptor may be closed before its link is read.
  const links = (await readdir(folder)).map((fd) =>
    readlink(join(folder, fd)).catch(() => undefined),
  );
  return (await Promise.all(links)).flatMap((link) => link ?? []);
}
