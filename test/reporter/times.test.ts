import { describe, expect, test } from 'vitest';
import { timesText } from './times.js';

describe('the times of a test run', () => {
  test('are those of the slowest files, and the sum of each project', () => {
    const times = [
      { project: 'unit', file: 'test/unit/a.test.ts', ms: 250 },
      { project: 'lab', file: 'test/lab/b.test.ts', ms: 61_240 },
      { project: 'unit', file: 'test/unit/c.test.ts', ms: 1_000 },
    ];
    expect(timesText(times).split('\n')).toEqual([
      '',
      'Time by file, the slowest 3 of 3:',
      '    61.2 s  lab test/lab/b.test.ts',
      '     1.0 s  unit test/unit/c.test.ts',
      '     0.3 s  unit test/unit/a.test.ts',
      'Time by project, the sum of its files:',
      '    61.2 s  lab (files: 1)',
      '     1.3 s  unit (files: 2)',
      '',
    ]);
  });

  test('name fifteen files of a longer run, and count all of them', () => {
    const times = Array.from({ length: 40 }, (_, n) => ({
      project: 'unit',
      file: `${n}.test.ts`,
      ms: 1000 * n,
    }));
    const lines = timesText(times).split('\n');
    expect(lines[1]).toBe('Time by file, the slowest 15 of 40:');
    expect(lines.filter((line) => line.includes('.test.ts'))).toHaveLength(15);
    expect(lines).toContain('   780.0 s  unit (files: 40)');
  });
});
