import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/**
 * Runs a command to its end and returns its standard output. The command reads `input` on its
 * standard input.
 * @throws Error with the command, its exit code and its standard error if the exit code is not 0
 */
export async function run(command: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(command, args, { stdio: 'pipe' });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // If the command ends without reading its input, its exit code says why.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  if (code === 0) return stdout;
  throw new Error(`${[command, ...args].join(' ')}: exit code ${code}\n${stderr}${input}`);
}

/** Runs several `ip` commands inside a namespace. */
export async function ip(namespace: string, commands: readonly string[]): Promise<void> {
  await run('ip', ['-n', namespace, '-batch', '-'], lines(commands));
}

/** Runs several `bridge` commands inside a namespace. */
export async function bridge(namespace: string, commands: readonly string[]): Promise<void> {
  await run('bridge', ['-n', namespace, '-batch', '-'], lines(commands));
}

/** Runs a command inside a namespace and returns its standard output. */
export function runIn(namespace: string, command: readonly string[], input = ''): Promise<string> {
  return run('ip', ['netns', 'exec', namespace, ...command], input);
}

function lines(commands: readonly string[]): string {
  return commands.map((command) => `${command}\n`).join('');
}
