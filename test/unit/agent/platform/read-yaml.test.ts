import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../../agent/platform/errors.js';
import { readYaml } from '../../../../agent/platform/read-yaml.js';

describe('readYaml', () => {
  test('reads what YAML 1.2 has: anchors, block text, other bases', () => {
    const text = 'a: &x [1, 0x10]\nb: *x\nc: |\n  two\n  lines\nd: off';
    expect(readYaml(text)).toEqual({ a: [1, 16], b: [1, 16], c: 'two\nlines\n', d: 'off' });
  });

  test('reads a text without anything as null', () => {
    expect(readYaml('')).toBeNull();
    expect(readYaml('# only a comment')).toBeNull();
  });

  test('says where a mistake is', () => {
    expect(() => readYaml('a: 1\nb: [')).toThrow(/ at line 2, column 5$/);
    expect(() => readYaml('a: 1\nb: [')).toThrow(ConfigError);
  });

  test.each([
    ['lists', '[', ''],
    ['closed lists', '[', ']'],
    ['mappings', '{a: ', '}'],
    ['block lists', '- ', ''],
    ['keys', '? ', ''],
  ])('refuses %s that are nested too deep, however deep', (_, open, close) => {
    const nested = (depth: number) => open.repeat(depth) + '1' + close.repeat(depth);
    for (const depth of [200, 2000, 20_000]) {
      expect(() => readYaml(nested(depth))).toThrow('nested deeper than 100 levels');
    }
  });

  test('takes what is nested as deep as no file of ours', () => {
    expect(() => readYaml(`${'['.repeat(40)}1${']'.repeat(40)}`)).not.toThrow();
  });
});
