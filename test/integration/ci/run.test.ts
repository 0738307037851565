import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../resources/folder.js';

const script = join(import.meta.dirname, '../../../.ci/run');
const wanted = /^wanted=\((.*)\)$/m.exec(readFileSync(script, 'utf8'))?.[1] ?? '';
const wantedPrograms = [...wanted.matchAll(/(\S+)=\S+/g)];
let folder: string;
beforeEach(() => {
  folder = newFolder();
  for (const name of ['.ci', 'bin', 'scripts']) mkdirSync(join(folder, name));
  cpSync(script, join(folder, '.ci', 'run'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const ready = 'export function ensureInstalled() {}\nexport function ensureReady() {}\n';
  writeFileSync(join(folder, 'scripts', 'ready.js'), ready);
  // The script finds all these programs, so it installs nothing during this test.
  for (const [, name = ''] of wantedPrograms) program(name, '');
});

function program(name: string, body: string): void {
  const path = join(folder, 'bin', name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}

/** What one of the two test commands prints, and how it ends. */
interface TestRun {
  readonly prints: string;
  readonly exit?: number;
  /** Ends the command by this signal after it has printed. */
  readonly signal?: string;
}

const well: TestRun = { prints: '7 passed, 0 failed, 2 skipped' };

/** Runs the script with an `npm` that fails the named scripts, and whose test commands do this. */
function run(
  failing: readonly string[],
  test: TestRun,
  long: TestRun,
  environment: NodeJS.ProcessEnv = {},
) {
  const end = ({ exit = 0, signal }: TestRun) =>
    signal === undefined ? `exit ${exit}` : `kill -${signal} $$`;
  const patterns = ['nothing', ...failing].join('|');
  program(
    'npm',
    `case "$*" in
      test) echo "${test.prints}"; ${end(test)};;
      'run test:long') echo "${long.prints}"; ${end(long)};;
      'run test:cluster') echo "0 passed, 0 failed, 1 skipped";;
    esac
    case "$3" in ${patterns}) exit 1;; esac`,
  );
  const path = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
  const { status, stdout } = spawnSync('bash', [join(folder, '.ci', 'run')], {
    env: { PATH: path, ...environment },
    encoding: 'utf8',
  });
  return { status, lines: stdout.trimEnd().split('\n') };
}

describe('.ci/run', () => {
  test('wants programs', () => {
    expect(wantedPrograms.length).toBeGreaterThan(10);
  });

  test('ends with the sum of the counts of all commands where all is well', () => {
    expect(run([], well, { prints: '5 passed, 0 failed, 1 skipped' })).toEqual({
      status: 0,
      lines: [
        'npm test: 7 passed, 0 failed, 2 skipped',
        'npm run test:long: 5 passed, 0 failed, 1 skipped',
        'npm run test:cluster: 0 passed, 0 failed, 1 skipped',
        '12 passed, 0 failed, 4 skipped',
      ],
    });
  });

  test('counts each failed check as one failed', () => {
    const { status, lines } = run(['lint', 'typecheck'], well, well);
    expect([status, lines.slice(-3)]).toEqual([
      1,
      ['failed: npm run lint', 'failed: npm run typecheck', '14 passed, 2 failed, 5 skipped'],
    ]);
  });

  test('says at the end again which tests failed, or passed when run again, of both commands', () => {
    const short = {
      prints: 'passed again: a.test.ts: no answer\n7 passed, 1 failed, 0 skipped',
      exit: 1,
    };
    const long = { prints: 'failed: b.test.ts: too late\n7 passed, 1 failed, 0 skipped', exit: 1 };
    expect(run(['lint'], short, long).lines.slice(-4)).toEqual([
      'passed again: a.test.ts: no answer',
      'failed: b.test.ts: too late',
      'failed: npm run lint',
      '14 passed, 3 failed, 1 skipped',
    ]);
  });

  test('adds them to the failed tests of both commands', () => {
    const failed = { prints: '7 passed, 3 failed, 0 skipped', exit: 1 };
    const { status, lines } = run(['lint'], failed, failed);
    expect([status, lines.at(-1)]).toEqual([1, '14 passed, 7 failed, 1 skipped']);
  });

  test.each<[string, TestRun]>([
    ['ends without a count and with exit code 3', { prints: 'vitest is broken', exit: 3 }],
    ['ends without a count and with exit code 0', { prints: 'vitest is broken' }],
    ['is killed before its count', { prints: 'a test runs', signal: 'KILL' }],
  ])('counts one failed where one of the commands %s', (_how, broken) => {
    for (const runs of [[broken, well] as const, [well, broken] as const]) {
      const { status, lines } = run([], ...runs);
      expect(status).not.toBe(0);
      expect(lines).toContain(broken.prints);
      expect(lines.at(-1)).toBe('7 passed, 1 failed, 3 skipped');
    }
  });

  test.each<[string, TestRun]>([
    ['ends with exit code 1', { ...well, exit: 1 }],
    ['is killed', { ...well, signal: 'KILL' }],
  ])(
    'counts one failed where one of the commands %s after a count without a failure',
    (_how, broken) => {
      for (const runs of [[broken, well] as const, [well, broken] as const]) {
        const { status, lines } = run([], ...runs);
        expect(status).not.toBe(0);
        expect(lines.at(-1)).toBe('14 passed, 1 failed, 5 skipped');
      }
    },
  );

  test("leaves the machine's clock alone, as root on a CI machine too, unless it is told to step it", () => {
    const clock = { prints: "LAB_CLOCK is '$LAB_CLOCK'" };
    expect(run([], clock, clock, { CI: 'true' }).lines[0]).toBe("LAB_CLOCK is ''");
    const asked = run([], clock, clock, { CI: 'true', LAB_CLOCK: 'step' });
    expect(asked.lines[0]).toBe("LAB_CLOCK is 'step'");
  });
});
