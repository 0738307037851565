import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import { V1Socket } from '../doubles/serve-v1.js';
import { targetBody } from '../doubles/targets.js';
import { MemoryV1Source } from '../doubles/v1-source.js';

const program = join(import.meta.dirname, '../../dist/cli/main.js');
const names = ['c/n1', 'c/n2', 'c/$(touch hit)', 'c/`touch hit`', 'c/a b'];

let folder: string;
let socket: V1Socket;
beforeEach(async () => {
  socket = new V1Socket();
  ({ folder } = socket);
  mkdirSync(join(folder, 'bin'));
  const options = { mode: 0o755 };
  writeFileSync(join(folder, 'bin/meshprobe'), `#!/bin/sh\nexec node ${program} "$@"\n`, options);
  const source = new MemoryV1Source(names);
  const first = source.entries.get('c/n1');
  if (first) source.entries.set('c/n1', { ...first, zone: 'eu-west' });
  source.groupBy = ['zone', 'kernel', 'k $(touch hit)'];
  source.openTargets = [targetBody('cluster-dns', 5, {}), targetBody('registry', 5, {})];
  await socket.serve(source);
});

/** Runs a program that finds the CLI and the agent's socket by its environment. */
const run = (command: string, ...args: readonly string[]) => runWith({}, command, ...args);

async function runWith(
  more: NodeJS.ProcessEnv,
  command: string,
  ...args: readonly string[]
): Promise<string> {
  const env = {
    ...process.env,
    HOME: folder,
    PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    MESHPROBE_SOCK: socket.path,
    ...more,
  };
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  return text(child.stdout);
}

const shells = {
  bash: (line: string) => {
    // As bash cuts them.
    const words = line.split(/ |(?<=:)|(?=:)/);
    return `source <(meshprobe completion bash)
COMP_LINE='${line}'; COMP_POINT=${line.length}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_meshprobe; printf '%s\\n' "\${COMPREPLY[@]}"`;
  },
  fish: (line: string) => `meshprobe completion fish | source; complete -C '${line}'`,
};

describe.each(['bash', 'fish'] as const)('the completion of %s', (shell) => {
  async function complete(line: string, env: NodeJS.ProcessEnv = {}): Promise<string[]> {
    const out = await runWith(env, shell, '-c', shells[shell](line));
    const words = out.split('\n').map((one) => one.split('\t')[0] ?? '');
    return words.filter((word) => word !== '').sort();
  }

  // Each Tab starts several processes, which is slow while the machine is busy.
  test(
    'offers the names of nodes and targets that the agent knows',
    { timeout: 180_000 },
    async ({ skip }) => {
      if (spawnSync(shell, ['-c', 'exit 0']).status !== 0) skip(`${shell} is not installed`);
      expect(await complete('meshprobe trace c/')).toEqual(['c/n1', 'c/n2']);
      expect(await complete('meshprobe events --node c/n2')).toEqual(['c/n2']);
      expect(await complete('meshprobe status n')).toEqual(['n1', 'n2']);
      expect(await complete('meshprobe wait --kind endpoint-p')).toEqual(['endpoint-plane']);
      expect(await complete('meshprobe matrix --zone e')).toEqual(['eu-west']);
      expect(await complete('meshprobe matrix --by ')).toEqual(['kernel', 'node', 'zone']);
      expect(await complete('meshprobe targets cl')).toEqual(['cluster-dns']);
      expect(await complete('meshprobe wait --target r')).toEqual(['registry']);
      // The agent that the line names.
      const asked = `-H unix://${socket.path}`;
      const env = { MESHPROBE_SOCK: '/nowhere.sock' };
      expect(await complete(`meshprobe ${asked} trace c/`, env)).toEqual(['c/n1', 'c/n2']);
      expect(await complete('meshprobe trace c/', env)).toEqual([]);
      // A name is no command.
      expect((await run('ls')).split('\n')).not.toContain('hit');
    },
  );

  test('offers no names while no agent answers', async ({ skip }) => {
    if (spawnSync(shell, ['-c', 'exit 0']).status !== 0) skip(`${shell} is not installed`);
    await socket.stop();
    expect(await complete('meshprobe wait --target r')).toEqual([]);
  });
});

test('the names are those that a shell takes for a word', async () => {
  expect(await run('meshprobe', 'names', 'nodes')).toBe('n1\nn2\nc/n1\nc/n2\n');
  expect(await run('meshprobe', '--help')).not.toContain('names');
});
