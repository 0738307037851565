import { describe, expect, test } from 'vitest';
import { maskSecrets } from '../../../../agent/notices/sending/mask-secrets.js';

const secret = 'Tr0ub4dor&3 /+xkcd-936';
const basic = `Basic ${Buffer.from('monitor:correct-horse').toString('base64')}`;

describe('an answer that says again a secret', () => {
  test.each([
    [`no such hook: ${secret}!`, 'no such hook: ...!'],
    ['got ub4dor&3 /+x and no more', 'got ... and no more'],
    ['"Tr0ub4…" is unknown', '"...…" is unknown'],
    [secret.toUpperCase(), '...'],
    [`/x?key=${encodeURIComponent(secret)}&a=1`, '/x?key=...&a=1'],
    [Buffer.from(secret).toString('base64url'), '...'],
    [`${secret}${secret}, ${secret}`, '..., ...'],
  ])('%j is shown without it', (text, shown) => {
    expect(maskSecrets(text, [secret])).toBe(shown);
  });

  test.each([
    [basic, '...'],
    [basic.slice(6, 20), '...'],
    ['user monitor with correct-horse', 'user ... with ...'],
  ])('%j of a header is shown without it', (text, shown) => {
    expect(maskSecrets(text, [basic])).toBe(shown);
  });

  test('is shown as it is where only a short piece is the same', () => {
    const text = 'xkcd- is a comic, and dor a beetle';
    expect(maskSecrets(text, [secret, '', '/', '1', 'a b'])).toBe(text);
    expect(maskSecrets('the pin 7319', ['7319'])).toBe('the pin ...');
  });

  test('is shown as long as it was but for what is hidden, whatever its characters are', () => {
    expect(maskSecrets('İİ Ünïcode %E0%A4%A secret-one', ['secret-one', '%E0%A4%A'])).toBe(
      'İİ Ünïcode ... ...',
    );
    expect(maskSecrets('', [secret])).toBe('');
  });
});
