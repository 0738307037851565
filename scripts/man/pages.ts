import { createAgentCommand } from '../../agent/commands/command-line.js';
import { checkHelp } from '../../agent/commands/run-check.js';
import { responderHelp } from '../../agent/commands/run-responder.js';
import { createProgram } from '../../cli/program.js';
import { commandPage } from './command-page.js';
import { literal, section } from './roff.js';

/** The man pages by the names of their files: of both programs, from what `--help` is made of. */
export function manPages(version: string): Readonly<Record<string, string>> {
  const nothing = { write: () => undefined };
  const io = { stdout: nothing, stderr: nothing, env: {}, signal: new AbortController().signal };
  return {
    'meshprobe.1': commandPage({
      command: createProgram(io, () => undefined),
      manSection: 1,
      version,
      seeAlso: ['meshprobe-agent(8)'],
    }),
    'meshprobe-agent.8': commandPage({
      command: createAgentCommand(),
      manSection: 8,
      version,
      more: [
        section('meshprobe-agent responder'),
        literal(responderHelp.trimEnd()),
        section('meshprobe-agent check'),
        literal(checkHelp.trimEnd()),
      ],
      seeAlso: ['meshprobe(1)', 'ping(8)', 'systemd.exec(5)'],
    }),
  };
}
