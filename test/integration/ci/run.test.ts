import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const script = join(import.meta.dirname, '../../../.ci/run');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'meshprobe-ci-'));
  for (const name of ['.ci', 'bin', 'scripts']) mkdirSync(join(folder, name));
  cpSync(script, join(folder, '.ci', 'run'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'scripts', 'ready.js'), 'export function ensureReady() {}\n');
  // The script finds all these programs, so it installs nothing during this test.
  for (const name of [
    'nft',
    'ip',
    'ping',
    'jq',
    'curl',
    'promtool',
    'chromium',
    'python3',
    'zsh',
    'fish',
  ])
    program(name, '');
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, body: string): void {
  const path = join(folder, 'bin', name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}

/**
 * Runs the checks with an `npm` that fails the named scripts. Its tests print this text and exit
 * with this code.
 */
function run(
  failing: readonly string[],
  tests: string,
  testsExit = 0,
  environment: NodeJS.ProcessEnv = {},
) {
  const patterns = ['nothing', ...failing].join('|');
  program(
    'npm',
    `case "$*" in test) echo '${tests}'; exit ${testsExit};; esac\ncase "$3" in ${patterns}) exit 1;; esac`,
  );
  const path = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
  const { status, stdout } = spawnSync('bash', [join(folder, '.ci', 'run')], {
    env: { PATH: path, ...environment },
    encoding: 'utf8',
  });
  return { status, lines: stdout.trimEnd().split('\n') };
}

describe('.ci/run', () => {
  test("ends with the tests' own count where all is well", () => {
    expect(run([], '7 passed, 0 failed, 2 skipped')).toEqual({
      status: 0,
      lines: ['7 passed, 0 failed, 2 skipped'],
    });
  });

  test('counts each failed check as one failed', () => {
    expect(run(['lint', 'typecheck'], '7 passed, 0 failed, 2 skipped')).toEqual({
      status: 1,
      lines: ['failed: npm run lint', 'failed: npm run typecheck', '7 passed, 2 failed, 2 skipped'],
    });
  });

  test('adds them to the failed tests', () => {
    const { status, lines } = run(['lint'], '7 passed, 3 failed, 0 skipped', 1);
    expect([status, lines.at(-1)]).toEqual([1, '7 passed, 4 failed, 0 skipped']);
  });

  test("leaves the machine's clock alone, as root on a CI machine too, unless it is told to step it", () => {
    const clock = 'LAB_CLOCK is '.concat('\'"$LAB_CLOCK"\'');
    expect(run([], clock, 0, { CI: 'true' }).lines[0]).toBe('LAB_CLOCK is ');
    const asked = run([], clock, 0, { CI: 'true', LAB_CLOCK: 'step' });
    expect(asked.lines[0]).toBe('LAB_CLOCK is step');
  });

  test('says failed where the tests came to no count', () => {
    const { status, lines } = run([], 'vitest is broken', 3);
    expect([status, lines]).toEqual([3, ['vitest is broken', '0 passed, 1 failed, 0 skipped']]);
  });
});
