import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/**
 * Runs a command to its end, with `input` on its standard input, and returns its standard output.
 * @throws Error with the command, its exit code and its standard error where that is not 0
 */
export async function run(command: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(command, args, { stdio: 'pipe' });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // A command that ends without reading its input says why by its exit code.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  if (code === 0) return stdout;
  throw new Error(`${[command, ...args].join(' ')}: exit code ${code}\n${stderr}${input}`);
}

/** Runs `ip` commands, one a line, inside a namespace. */
export async function ip(namespace: string, commands: readonly string[]): Promise<void> {
  await run('ip', ['-n', namespace, '-batch', '-'], lines(commands));
}

/** Runs `bridge` commands, one a line, inside a namespace. */
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
