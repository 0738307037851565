import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { exitCodes } from '../exit-codes.js';
import { escapeText } from '../view/escape.js';
import type { Agent } from './find-agent.js';
import type { Kubectl } from './kubectl.js';

/** The terminal and the environment of the plug-in. */
export interface PluginIo {
  readonly stdin: { readonly isTTY?: boolean };
  readonly stdout: { readonly isTTY?: boolean; write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly env: NodeJS.ProcessEnv;
  /** Ends what kubectl does. Ctrl-C reaches kubectl itself. */
  readonly signal: AbortSignal;
  /** The user wants to stop, by Ctrl-C too. */
  readonly interrupted: AbortSignal;
  /** And does not want to wait for the end. */
  readonly interruptedAgain: AbortSignal;
}

/**
 * Runs the CLI beside an agent and resolves with its exit code. With a terminal on both ends kubectl
 * passes on its size and its keys.
 */
export async function runCommand(
  kubectl: Kubectl,
  { namespace, pod }: Agent,
  command: readonly string[],
  io: PluginIo,
): Promise<number> {
  const isMcp = command[0] === 'mcp';
  // A terminal echoes what it gets, and that would not be the protocol.
  const isTerminal = io.stdin.isTTY === true && io.stdout.isTTY === true && !isMcp;
  // Without this a loop over lines of standard input would end after its first turn.
  const readsInput = isTerminal || isMcp || (command[0] === 'diff' && command.includes('-'));
  const streams = [...(readsInput ? ['--stdin'] : []), ...(isTerminal ? ['--tty'] : [])];
  const child = await kubectl.start(
    [
      ...['exec', `--namespace=${namespace}`, `pod/${pod}`, '--container=agent', ...streams, '--'],
      ...environment(io, isTerminal),
      ...['meshprobe', ...command],
    ],
    [readsInput ? 'inherit' : 'ignore', 'inherit', 'pipe'],
  );
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  let hasRun = false;
  if (child.stderr) {
    for await (const line of createInterface({ input: child.stderr })) {
      if (/^command terminated with exit code \d+$/.test(line)) hasRun = true;
      else io.stderr.write(`${escapeText(line)}\n`);
    }
  }
  const [code, signal] = await closed;
  if (signal !== null) return exitCodes.interrupted;
  if (code === 0 || hasRun) return code ?? exitCodes.unexpected;
  // What kubectl itself said stands above.
  return exitCodes.noAgent;
}

/** What the CLI must know of the terminal on this side. */
function environment({ env, stdout }: PluginIo, isTerminal: boolean): string[] {
  const names = ['NO_COLOR', 'FORCE_COLOR'].filter((name) => env[name] !== undefined);
  const given = names.map((name) => `${name}=${env[name] ?? ''}`);
  if (env['TERM'] === 'dumb') given.push('TERM=dumb');
  const showsColours = stdout.isTTY === true && !isTerminal && given.length === 0;
  if (showsColours) given.push('FORCE_COLOR=1');
  return given.length === 0 ? [] : ['env', ...given];
}
