import { expect, test } from 'vitest';
import { createProgram, runProgram } from '../../../cli/program.js';

async function errorsOf(...argv: readonly string[]): Promise<string> {
  let errors = '';
  const code = await runProgram(argv, {
    stdout: { write: () => true },
    stderr: { write: (text) => (errors += String(text)) },
    env: {},
    signal: new AbortController().signal,
  });
  expect(code).toBe(2);
  return errors;
}

test('what was typed wrongly reaches the terminal without its control characters', async () => {
  for (const argv of [['notify', 'b\u001b[31mad'], ['--b\u001b[2J'], ['nodes', '-o', '\u0007x']]) {
    const errors = await errorsOf(...argv);
    expect(errors).toMatch(/\\x1b\[|\\x07/);
    // eslint-disable-next-line no-control-regex
    expect(errors).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(errors).toMatch(/\n\(meshprobe (?:notify |nodes )?--help says more\)\n$/);
  }
});

test('help of what is no command says so', async () => {
  expect(await errorsOf('help', 'nosuch')).toBe('meshprobe: unknown command nosuch (see --help)\n');
});

test('the help of each command has the options that say which agent is asked', () => {
  const io = {
    stdout: { write: () => true },
    stderr: { write: () => true },
    env: {},
    signal: new AbortController().signal,
  };
  const { commands } = createProgram(io, () => undefined);
  for (const command of commands) {
    expect(command.helpInformation()).toMatch(/Global Options:\n.*-H, --host <address>/s);
  }
});
