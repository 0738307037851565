import { describe, expect, test } from 'vitest';
import { readLabelSelector } from '../../../../../agent/discovery/kubernetes/label-selector.js';

const labels = { app: 'x', 'node-role.kubernetes.io/control-plane': '', zone: 'a' };

describe('a label selector', () => {
  test.each([
    ['app=x', true],
    ['app==x', true],
    ['app = x', true],
    ['app=y', false],
    ['app!=y', true],
    ['other!=y', true],
    ['app', true],
    ['!app', false],
    ['! other', true],
    ['node-role.kubernetes.io/control-plane', true],
    ['node-role.kubernetes.io/control-plane=', true],
    ['zone in (a,b),app=x', true],
    ['zone in (b, c)', false],
    ['zone notin (b,c)', true],
    ['other notin (b)', true],
    ['zone in (a), !app', false],
    ['constructor', false],
    ['!constructor', true],
  ])('%s says %s', (text, expected) => {
    expect(readLabelSelector(text)?.(labels)).toBe(expected);
  });

  test.each(['', ',', 'a=b,', 'a b', 'a=b c', '-a', 'a in b', 'a in (b', 'a>1', 'a=\u001b', '(a)'])(
    'cannot be %j',
    (text) => {
      expect(readLabelSelector(text)).toBeUndefined();
    },
  );
});
