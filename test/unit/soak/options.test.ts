import { describe, expect, test } from 'vitest';
import { help, readOptions } from '../../soak/options.js';

const read = (line: string) => readOptions(line.split(' ').filter(Boolean));

describe('the options of the soak', () => {
  test('are an hour with thirty agents where nothing is given', () => {
    expect(read('')).toMatchObject({ agents: 30, runMs: 3_600_000, seed: 1, wantsHelp: false });
  });

  test('take hours or minutes', () => {
    expect(read('--hours 0.5').runMs).toBe(1_800_000);
    expect(read('--minutes 2 --agents 6 --seed 7 --out x')).toMatchObject({
      runMs: 120_000,
      agents: 6,
      seed: 7,
      out: 'x',
    });
  });

  test.for([
    ['--agents 2', '--agents: expected 3 to 200, got "2"'],
    ['--agents 3.5', '--agents: expected a whole number, got "3.5"'],
    ['--agents 1e9', '--agents: expected 3 to 200, got "1e9"'],
    ['--minutes 0', '--minutes: expected 1 to 2880, got "0"'],
    ['--minutes=-1', '--minutes: expected 1 to 2880, got "-1"'],
    ['--hours NaN', '--hours: expected 0.017 to 48, got "NaN"'],
    ['--hours 49', '--hours: expected 0.017 to 48, got "49"'],
    ['--seed \u001b[31m', '--seed: expected 0 to 2147483647, got "\\x1b[31m"'],
    ['--hours 1 --minutes 1', 'expected one of --hours and --minutes, got both'],
    ['--out=', '--out: expected a folder, got ""'],
  ])('refuse %s', ([line = '', message]) => {
    expect(() => read(line)).toThrow(message);
  });

  test('refuse what is no option', () => {
    expect(() => read('--agent 3')).toThrow(/--agent/);
    expect(() => read('30')).toThrow(/30/);
  });

  test('are those of the help, whose examples can be read', () => {
    const examples = [...help.matchAll(/^ {2}npm run soak -- (.*)$/gm)];
    expect(examples.length).toBeGreaterThan(1);
    for (const [, line = ''] of examples) expect(() => read(line)).not.toThrow();
  });
});
