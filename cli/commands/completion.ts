import { Argument, type Command } from 'commander';
import type { ProgramIo } from '../context.js';

const examples = `
Examples:
  source <(meshprobe completion bash)
  meshprobe completion zsh > "\${fpath[1]}/_meshprobe"
  meshprobe completion fish > ~/.config/fish/completions/meshprobe.fish`;

/** `meshprobe completion`: a script for the shell, made from the real commands and options. */
export function addCompletionCommand(program: Command, io: ProgramIo): void {
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', examples)
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { renderCompletion } = await import('../view/completion.js');
      io.stdout.write(renderCompletion(shell, program));
    });
}
