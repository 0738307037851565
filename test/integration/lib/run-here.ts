import { runProgram } from '../../../cli/program.js';
import type { Ended } from '../../resources/program.js';

type Io = Parameters<typeof runProgram>[1];

/** Runs `meshprobe` in this process, which takes less time than a process of its own. */
export async function runHere(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  more: Partial<Pick<Io, 'signal' | 'stdin'>> = {},
): Promise<Ended> {
  const [stdout, stderr] = [[] as Buffer[], [] as Buffer[]];
  const writer = (to: Buffer[]) => ({
    write: (text: string | Uint8Array) => to.push(Buffer.from(text)) > 0,
  });
  const code = await runProgram(argv, {
    stdout: writer(stdout),
    stderr: writer(stderr),
    env,
    signal: new AbortController().signal,
    ...more,
  });
  return {
    code,
    stdout: Buffer.concat(stdout).toString(),
    stderr: Buffer.concat(stderr).toString(),
  };
}
