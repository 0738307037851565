import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';

/**
 * Builds a program and runs it where no more than 64 descriptors may be open.
 * @param outfile where the built program goes
 * @returns the JSON that it prints
 */
export async function runWithFewDescriptors(
  program: URL,
  outfile: string,
  argument: string,
): Promise<unknown> {
  await build({
    entryPoints: [program.pathname],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
  });
  const limited = ['-c', 'ulimit -n 64; exec "$@"', 'bash', process.execPath, outfile, argument];
  return JSON.parse(execFileSync('bash', limited, { encoding: 'utf8' }));
}
