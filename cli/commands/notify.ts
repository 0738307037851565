import { Argument, Option, type Command } from 'commander';
import { ApiError } from '../../api/client/api-error.js';
import { clientFor, type GlobalOptions, type ProgramIo } from '../context.js';
import { UsageError } from '../errors.js';
import { exitCodes, type SetExitCode } from '../exit-codes.js';
import { renderData } from '../view/data.js';
import { renderNoticeTest } from '../view/notices-text.js';

const examples = `
Examples:
  meshprobe notify test          send a sample to each receiver of --notify-file, and print its answer
  meshprobe notify test -o json  the same as JSON

It is this agent that sends, so its node's way to the receivers is what is tried. A receiver has ten
seconds to answer, and a redirect is not followed.
Exit codes: 0 all took it, 1 a test is under way, 2 the agent has no --notify-file, 3 no agent,
4 one did not take it, 130 Ctrl-C.`;

/** `meshprobe notify test`: whether the receivers of notices can be told. */
export function addNotifyCommand(program: Command, io: ProgramIo, setExitCode: SetExitCode): void {
  program
    .command('notify')
    .addArgument(new Argument('<what>', 'what to send to the receivers').choices(['test']))
    .description('send a sample to those who are told of findings')
    .addOption(
      new Option('-o, --output <form>', 'text, json or yaml')
        .choices(['text', 'json', 'yaml'])
        .default('text'),
    )
    .addHelpText('after', examples)
    .action(async (_what: string, _: unknown, command: Command) => {
      const { output, ...options } = command.optsWithGlobals<
        GlobalOptions & { output: 'text' | 'json' | 'yaml' }
      >();
      const tested = await clientFor(options, io).testNotices().catch(explain);
      if (!tested) {
        io.stderr.write('meshprobe: a test is under way, try again later\n');
        setExitCode(exitCodes.unexpected);
        return;
      }
      if (tested.results.some(({ taken }) => !taken)) setExitCode(exitCodes.notWell);
      io.stdout.write(
        output === 'text' ? renderNoticeTest(tested) : await renderData(tested, output),
      );
    });
}

/** Undefined: another test is under way. */
function explain(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
  if (error.statusCode === 429) return undefined;
  const hasNone =
    error.statusCode === 404 && error.serverMessage?.startsWith('there is no receiver');
  if (hasNone === true) throw new UsageError(error.serverMessage ?? '');
  throw error;
}
