import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../resources/folder.js';
import { runHere } from './lib/run-here.js';

let folder: string;
beforeEach(() => (folder = newFolder()));

const scriptFor = async (shell: string) => (await runHere(['completion', shell])).stdout;

const has = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

/** The words that a shell offers when the cursor is at the end of this line. */
type Complete = (line: string) => Promise<string[]>;

const inBash: Complete = async (line) => {
  const words = line.split(' ');
  const script = `${await scriptFor('bash')}
cd ${folder}
COMP_LINE='${line}'; COMP_POINT=${line.length}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_meshprobe
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return linesOf(stdout);
};

const inFish: Complete = async (line) => {
  writeFileSync(join(folder, 'script.fish'), await scriptFor('fish'));
  const script = `source script.fish; complete -C '${line}'`;
  const options = { encoding: 'utf8', cwd: folder, env: { ...process.env, HOME: folder } } as const;
  const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', script], options);
  expect(stderr).toBe('');
  return linesOf(stdout).map((one) => one.split('\t')[0] ?? '');
};

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .sort();

describe.each([
  ['bash', inBash],
  ['fish', inFish],
])('the completion of %s', (shell, complete) => {
  const isThere = has(shell);
  const check = (title: string, run: () => Promise<void>) =>
    test(title, async (context) => {
      if (!isThere) context.skip(`${shell} is not installed`);
      await run();
    });

  check('offers the commands, and completes them', async () => {
    expect(await complete('meshprobe ')).toEqual(
      expect.arrayContaining(['diagnose', 'diff', 'events', 'matrix', 'status', 'wait', 'why']),
    );
    expect(await complete('meshprobe diag')).toEqual(['diagnose']);
  });

  check('offers paths and no commands after -H', async () => {
    writeFileSync(join(folder, 'a.sock'), '');
    for (const flag of ['-H', '--host', '--token-file', '--ca']) {
      const offered = await complete(`meshprobe ${flag} `);
      expect(offered).toContain('a.sock');
      expect(offered).not.toContain('status');
    }
  });

  check('offers nothing that could be wrong as the value of an option', async () => {
    expect(await complete('meshprobe --timeout ')).toEqual([]);
    expect(await complete('meshprobe wait --for ')).toEqual([]);
  });

  check(
    'knows the command past the value of an option, also one that is named as a command',
    async () => {
      expect(await complete('meshprobe -H status ')).toContain('diagnose');
      expect(await complete('meshprobe -H status matrix --pl')).toEqual(['--plane']);
    },
  );

  check('offers the choices that the option has in that command', async () => {
    expect(await complete('meshprobe status -o ')).toEqual(['json', 'text', 'yaml']);
    expect(await complete('meshprobe matrix -o ')).toEqual(['csv', 'json', 'text', 'yaml']);
    expect(await complete('meshprobe wait --output ')).toEqual(['json', 'junit', 'text']);
    expect(await complete('meshprobe nodes --state b')).toEqual(['broken']);
    expect(await complete('meshprobe completion ')).toEqual(
      expect.arrayContaining(['bash', 'fish', 'zsh']),
    );
  });

  check('offers --help, and no option that help does not show', async () => {
    expect(await complete('meshprobe status --he')).toEqual(['--help']);
    expect(await complete('meshprobe check --o')).toEqual([]);
  });

  check('offers files to diff and report', async () => {
    writeFileSync(join(folder, 'before.json'), '');
    expect(await complete('meshprobe diff bef')).toEqual(['before.json']);
    expect(await complete('meshprobe report bef')).toEqual(['before.json']);
  });
});

describe('the completion of zsh', () => {
  const isThere = has('zsh');

  /** Types into an interactive zsh and waits until its output matches the pattern. */
  async function type(keys: string, pattern: string, load: string) {
    writeFileSync(join(folder, '_meshprobe'), await scriptFor('zsh'));
    writeFileSync(join(folder, 'a.sock'), '');
    const driver = `
zmodload zsh/zpty
zpty shell env -i TERM=dumb HOME=$1 PATH=$PATH zsh -f -i
wait_for() { local shown=; zpty -r -m shell shown "$1" || exit 3; print -r -- $shown; }
zpty -w shell "cd $1; unsetopt zle_bracketed_paste; LISTMAX=10000; PS1=''; fpath=($1 \\$fpath); autoload -Uz compinit; compinit -D -u; $3; print REA''DY"
wait_for '*READY*'
zpty -w -n shell $2
wait_for "*$4*"
zpty -d shell`;
    return spawnSync('zsh', ['-f', '-c', driver, 'zsh', folder, keys, load, pattern], {
      encoding: 'utf8',
      timeout: 20_000,
    });
  }

  test.for([
    ['completes at the first Tab as an autoloaded file', 'meshprobe diag\t', 'diagnose', ':'],
    ['completes after it was sourced', 'meshprobe diag\t', 'diagnose', 'source ./_meshprobe'],
    ['completes an option of a command', 'meshprobe matrix --pl\t', '--plane', ':'],
    ['completes a choice of an option', 'meshprobe wait -o ju\t', 'junit', ':'],
    ['offers paths after -H', 'meshprobe -H a.\t', 'a.sock', ':'],
    ['knows the command past the value of an option', 'meshprobe -H x diag\t', 'diagnose', ':'],
    ['offers files to diff', 'meshprobe diff a.s\t', 'a.sock', ':'],
  ] as const)('%s', async ([, keys, pattern, load], context) => {
    if (!isThere) context.skip('zsh is not installed');
    const { status, stdout, stderr } = await type(keys, pattern, load);
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining(pattern)]);
  });

  test('does not offer commands after -H', async (context) => {
    if (!isThere) context.skip('zsh is not installed');
    const { status, stdout } = await type('meshprobe -H diag\t.end', 'end', ':');
    expect([status, stdout]).toEqual([0, expect.not.stringContaining('diagnose')]);
  });
});
