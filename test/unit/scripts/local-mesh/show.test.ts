import { describe, expect, test } from 'vitest';
import { inPlace, onChange } from '../../../../scripts/local-mesh/show.js';

function screen(rows = 24, columns = 80) {
  const written: string[] = [];
  return { rows, columns, written, write: (text: string) => written.push(text) };
}

describe('the table on a terminal', () => {
  test('overwrites the previous one line by line, and clears the rest below', () => {
    const to = screen();
    const show = inPlace(to);
    show('a\nb\nc');
    show('d');
    show('e');
    expect(to.written).toEqual([
      '\ra\x1b[K\nb\x1b[K\nc\x1b[K\n\x1b[J',
      '\x1b[3A\rd\x1b[K\n\x1b[J',
      '\x1b[1A\re\x1b[K\n\x1b[J',
    ]);
  });

  test('is cut to the window, because it could not be overwritten otherwise', () => {
    const to = screen(4, 6);
    inPlace(to)('1\n2\n3\n4');
    inPlace(to)('123456789');
    expect(to.written).toEqual([
      '\r1\x1b[K\n2\x1b[K\n  ...\x1b[K\n\x1b[J',
      '\r12345\x1b[K\n\x1b[J',
    ]);
  });
});

describe('the table in a pipe', () => {
  test('is printed only when something other than its time changed', () => {
    const to = screen();
    const show = onChange(to);
    show('2/2 reachable   (2020-12-31T09:00:03Z)');
    show('2/2 reachable   (2020-12-31T09:00:04Z)');
    show('1/2 reachable   (2020-12-31T09:00:05Z)');
    expect(to.written).toEqual([
      '2/2 reachable   (2020-12-31T09:00:03Z)\n\n',
      '1/2 reachable   (2020-12-31T09:00:05Z)\n\n',
    ]);
  });
});
