import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { V1Socket } from '../doubles/serve-v1.js';
import { MemoryV1Source, pathChange } from '../doubles/v1-source.js';

// Real terminals, made by script(1): node has no pseudo terminals of its own.

const program = join(import.meta.dirname, '../../dist/cli/main.js');
const missing =
  spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0
    ? undefined
    : 'needs script (Debian package bsdutils)';
const names = Array.from({ length: 20 }, (_, index) => `c/n${index + 1}`);

let socket: V1Socket;
let source: MemoryV1Source;
beforeEach(async () => {
  socket = new V1Socket();
  source = new MemoryV1Source(names);
  await socket.serve(source);
});

/** Runs the CLI in a terminal of so many columns and rows. */
function inTerminal(columns: number, rows: number, command: string) {
  const line = `stty cols ${columns} rows ${rows}; exec ${process.execPath} ${program} ${command}`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: { PATH: process.env['PATH'], TERM: 'xterm', MESHPROBE_SOCK: socket.path },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const shown = { text: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown.text += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { shown, ended, type: (keys: string) => child.stdin.write(keys) };
}

/** The lines as a reader sees them, without colours. */
// eslint-disable-next-line no-control-regex
const linesOf = (text: string) => text.replaceAll(/\u001b\[[\d;]*m/g, '').split('\r\n');

describe.skipIf(missing !== undefined)('a terminal', () => {
  test('that says that it is 0 x 0 gets as much as no terminal', async () => {
    const { shown, ended } = inTerminal(0, 0, 'matrix --by node');
    expect(await ended).toBe(0);
    expect(linesOf(shown.text).filter((line) => /^ *\d+ c\/n\d+ /.test(line))).toHaveLength(20);
  });

  test('of 40 columns gets a matrix that fits, with the worst first', async () => {
    source.cells.set('c/n7 c/n19', { state: 'unreachable' });
    const { shown, ended } = inTerminal(40, 30, 'matrix --by node');
    expect(await ended).toBe(0);
    const rows = linesOf(shown.text).filter((line) => /^ *\d+ c\/n\d+ /.test(line));
    expect(rows[0]).toMatch(/^ 7 c\/n7 +X/);
    expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(40);
  });

  test.each(['events --follow', 'wait --timeout 60s'])(
    'ends %s at Ctrl-C with 130, and is left as it was',
    async (command) => {
      source.verdict = 'unknown';
      source.reason = 'the first probes are under way';
      source.events.add(pathChange('c/n2'));
      const { shown, ended, type } = inTerminal(60, 24, command);
      await vi.waitUntil(() => shown.text.includes('\n'), { timeout: 20_000 });
      type('\u0003');
      expect(await ended).toBe(130);
      // No cursor is left hidden, no other screen left open, and no trace of the program is shown.
      expect(shown.text).not.toContain('\u001b[?');
      expect(shown.text).not.toMatch(/Error|at .*\.js/);
    },
  );
});
