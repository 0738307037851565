import { describe, expect, test } from 'vitest';
import {
  decodeHints,
  encodeHints,
  maxHintBytes,
} from '../../../../../agent/exchange/hints/hint-codec.js';
import type { Hint } from '../../../../../agent/exchange/hints/hint.js';
import {
  decodeTargetHints,
  encodeTargetHints,
  maxTargetHintBytes,
  type TargetHint,
} from '../../../../../agent/exchange/hints/target-hint.js';
import { MeshKeys, parseMeshKeys } from '../../../../../agent/exchange/messages/mesh-keys.js';
import {
  decodeAnswer,
  decodeRequest,
  encodeAnswer,
  encodeRequest,
  maxHeaderBytes,
  type ExchangeRequest,
} from '../../../../../agent/exchange/messages/message.js';

const hint: Hint = {
  node: 'c/dead',
  plane: 'host',
  protocol: 'icmp',
  change: 'failure',
  ageMs: 120,
  isWitness: true,
};
const targetHint: TargetHint = {
  target: 'database',
  digest: 0xdeadbeef,
  plane: 'endpoint',
  change: 'failure',
  ageMs: 700,
  witness: 'c/n9',
};
const request: ExchangeRequest = {
  from: 'c/a',
  to: 'c/b',
  nonce: 'abcdefghijklmnop',
  rowTag: '1f.7',
  wholeRow: undefined,
  hints: [hint],
  targetHints: [targetHint],
};
const longName = `${'c'.repeat(253)}/${'n'.repeat(253)}`;
const [oldKey, newKey] = ['an old key of the mesh', 'a new key of the mesh'];

describe('hints', () => {
  test('are the same after they have travelled', () => {
    const others: Hint[] = [
      { ...hint, plane: 'endpoint', protocol: 'http', change: 'recovery', isWitness: false },
    ];
    expect(decodeHints(encodeHints([hint, ...others]))).toEqual([hint, ...others]);
  });

  test('are bounded in number and bytes', () => {
    expect(decodeHints(encodeHints(Array<Hint>(100).fill(hint)))).toHaveLength(32);
    const long = encodeHints(Array<Hint>(32).fill({ ...hint, node: longName }));
    expect(long.length).toBeLessThanOrEqual(maxHintBytes);
    expect(decodeHints(long)?.length).toBeGreaterThan(1);
  });

  test.each([
    'c/dead:hifw',
    'c/dead:hifw10001',
    'c/dead:hifw-1',
    'c/dead:xifw1',
    'dead:hifw1',
    'c/dead:hifw1,',
    'c/de ad:hifw1',
    'c/dead:hifw1;c/dead:hifw1',
    Array<string>(33).fill('c/d:hifw1').join(','),
  ])('are refused whole where one is malformed: %s', (text) => {
    expect(decodeHints(text)).toBeUndefined();
  });
});

describe('hints about targets', () => {
  test('are the same after they have travelled, as many as there is room for', () => {
    const others: TargetHint[] = [
      targetHint,
      { ...targetHint, target: 'a', digest: 0, plane: 'host', change: 'recovery', ageMs: 0 },
      { ...targetHint, server: 15 },
    ];
    expect(decodeTargetHints(encodeTargetHints(others, 3000))).toEqual(others);
    expect(decodeTargetHints(encodeTargetHints(others, 40))).toEqual([targetHint]);
    expect(encodeTargetHints(others, -5)).toBe('');
    const many = Array<TargetHint>(100).fill({ ...targetHint, witness: longName });
    expect(encodeTargetHints(many, 3000).length).toBeLessThanOrEqual(maxTargetHintBytes);
  });

  test.each([
    'database:deadbeef:ef99999:c/n9',
    'database:deadbeef:xf1:c/n9',
    'database:deadbeef:ef1',
    'database:deadbeef:ef1:n9',
    'database:deadbeef:ef1:c/n9:x',
    '-database:deadbeef:ef1:c/n9',
    'database:123456789:ef1:c/n9',
    'a newer form',
  ])('of another form are left out, and the others are read: %s', (text) => {
    expect(decodeTargetHints(text)).toEqual([]);
    expect(decodeTargetHints(`${text},${encodeTargetHints([targetHint], 100)}`)).toEqual([
      targetHint,
    ]);
  });

  test('are refused where there are too many', () => {
    expect(decodeTargetHints(Array<string>(17).fill('x').join())).toBeUndefined();
    expect(decodeTargetHints('x'.repeat(maxTargetHintBytes + 1))).toBeUndefined();
  });
});

describe('a request', () => {
  test('is the same after it has travelled, with a key and without', () => {
    for (const keys of [new MeshKeys(), new MeshKeys([oldKey])]) {
      expect(decodeRequest(encodeRequest(request, keys), keys)).toEqual(request);
    }
  });

  test('leaves room for other headers in the 4 KB that old responders read', () => {
    const largest = {
      ...request,
      proof: `${'f'.repeat(16)}.${'9'.repeat(15)}.${'9'.repeat(9)}`,
      from: longName,
      to: longName,
      hints: Array<Hint>(32).fill({ ...hint, node: longName }),
      targetHints: Array<TargetHint>(16).fill({ ...targetHint, witness: longName }),
    };
    const header = encodeRequest(largest, new MeshKeys([oldKey]));
    expect(header.length).toBeLessThanOrEqual(maxHeaderBytes);
    expect(decodeRequest(header, new MeshKeys())).toMatchObject({ from: longName });
  });

  test('of another version is no exchange', () => {
    expect(decodeRequest('2;from=c/a', new MeshKeys())).toBeUndefined();
  });

  test.each([
    '',
    'hello',
    '1',
    '1;from=c/a;to=c/b',
    '1;from=c/a;to=c/b;nonce=short',
    '1;from=c/a;to=c/b;nonce=abcdefghijklmnop;row=../..',
    '1;from=c/a;to=c/b;nonce=abcdefghijklmnop;proof=1f.7',
    '1;from=c/a;from=c/a;to=c/b;nonce=abcdefghijklmnop',
    '1;from=c/a;to=c/b;nonce=abcdefghijklmnop;mac=x;hints=',
    `1;from=c/a;to=c/b;nonce=abcdefghijklmnop;hints=${'x'.repeat(4000)}`,
  ])('is refused where it is malformed: %s', (header) => {
    expect(decodeRequest(header, new MeshKeys())).toEqual({ refused: 'malformed' });
  });
});

/** What agents sent before requests had proofs, recorded: the signed ones by the key `a key of the whole mesh`. */
const recorded = (() => {
  const told =
    'hints=c/dead:hifw120,c/n7:egrp85;targets=database:deadbeef:ef700:c/n9,cluster-dns:7:hr10:c/n3:1';
  const request = `1;from=c/n0;to=c/n1;nonce=abcdefghijklmnop;row=1f.7;${told}`;
  const answer = `1;row=1f.8;${told}`;
  return [
    { keys: new MeshKeys(), request, answer },
    {
      keys: new MeshKeys(['a key of the whole mesh']),
      request: `${request};mac=F1oNmKOF4WNWaIvTk49vnw`,
      answer: `${answer};mac=wIsJ6P-X9XbPvnqEWKTTyA`,
    },
  ];
})();

describe('messages of agents that know no challenges', () => {
  const told = {
    hints: [hint, { ...hint, node: 'c/n7', plane: 'endpoint', protocol: 'http' }].map(
      (one, index) =>
        index === 0 ? one : { ...one, change: 'recovery', ageMs: 85, isWitness: false },
    ) as Hint[],
    targetHints: [
      targetHint,
      {
        target: 'cluster-dns',
        digest: 7,
        plane: 'host',
        server: 1,
        change: 'recovery',
        ageMs: 10,
        witness: 'c/n3',
      },
    ] as TargetHint[],
  };
  const asked = { ...request, ...told, from: 'c/n0', to: 'c/n1' };
  const body = '{"body":1}';

  test.each(recorded)('are read, and written the same without a challenge: $request', (from) => {
    const { keys } = from;
    expect(decodeRequest(from.request, keys)).toEqual(asked);
    expect(encodeRequest(asked, keys)).toBe(from.request);
    const answer = { rowTag: '1f.8', ...told };
    expect(decodeAnswer(from.answer, body, asked, keys)).toEqual(answer);
    expect(encodeAnswer(answer, body, asked, keys)).toBe(from.answer);
  });

  test.each(recorded)('have all of their fields beside the new ones: $request', (from) => {
    // They skip each field of such a form whose name they do not know, and sign all of the text.
    const skipped = /;(?:proof|next|clock)=[\x21-\x3a\x3c-\x7e]*/g;
    const withoutMac = (header: string) => header.replace(/;mac=.*/, '');
    const proof = '5f0c9a1e77d2.1234.0';
    const header = encodeRequest({ ...asked, proof }, from.keys);
    expect(decodeRequest(header, from.keys)).toEqual({ ...asked, proof });
    expect(withoutMac(header.replaceAll(skipped, ''))).toBe(withoutMac(from.request));
    const stamps = { receivedMs: 1_764_105_663_123, heldMs: 2 };
    const answer = { rowTag: '1f.8', challenge: '5f0c9a1e77d2.1234', ...told, stamps };
    const answered = encodeAnswer(answer, body, asked, from.keys);
    expect(decodeAnswer(answered, body, asked, from.keys)).toEqual(answer);
    expect(withoutMac(answered.replaceAll(skipped, ''))).toBe(withoutMac(from.answer));
  });
});

describe('the stamps of an answer', () => {
  const keys = new MeshKeys();

  test('are whole milliseconds, also of a clock that stands before 1970', () => {
    const stampsOf = (receivedMs: number, heldMs: number) => {
      const answer = { rowTag: '1f.8', hints: [], targetHints: [], stamps: { receivedMs, heldMs } };
      return decodeAnswer(encodeAnswer(answer, '', request, keys), '', request, keys);
    };
    expect(stampsOf(1.5e12 + 0.4, 1.6)).toMatchObject({
      stamps: { receivedMs: 1.5e12, heldMs: 2 },
    });
    expect(stampsOf(-5000, 0)).toMatchObject({ stamps: { receivedMs: 0, heldMs: 0 } });
  });

  test.each([
    'NaN.0',
    '-1.0',
    '1e12.0',
    '1764105663123',
    '1.2.3',
    '9'.repeat(16),
    `1.${'9'.repeat(7)}`,
    '',
  ])('that cannot be read are none, and the answer is as good without: %s', (clock) => {
    const answer = decodeAnswer(`1;row=1f.8;clock=${clock}`, '', request, keys);
    expect(answer).toEqual({ rowTag: '1f.8', hints: [], targetHints: [] });
  });
});

describe('a key of the mesh', () => {
  const keys = new MeshKeys([newKey]);

  test('refuses a request that was signed without a key, with another key, or changed', () => {
    const signed = encodeRequest(request, keys);
    const refused = { refused: 'unauthenticated' };
    expect(decodeRequest(encodeRequest(request, new MeshKeys()), keys)).toEqual(refused);
    expect(decodeRequest(encodeRequest(request, new MeshKeys([oldKey])), keys)).toEqual(refused);
    expect(decodeRequest(signed.replace('c/dead', 'c/live'), keys)).toEqual(refused);
    expect(decodeRequest(signed.replace('to=c/b', 'to=c/x'), keys)).toEqual(refused);
    expect(decodeRequest(signed, keys)).toEqual(request);
  });

  test('refuses an answer to another request, of another peer, or with another body', () => {
    const answer = { rowTag: '1f.8', hints: [hint], targetHints: [targetHint] };
    const header = encodeAnswer(answer, 'body', request, keys);
    const refused = { refused: 'unauthenticated' };
    expect(decodeAnswer(header, 'body', request, keys)).toEqual(answer);
    expect(decodeAnswer(header, 'other', request, keys)).toEqual(refused);
    const nonce = 'ponmlkjihgfedcba';
    expect(decodeAnswer(header, 'body', { ...request, nonce }, keys)).toEqual(refused);
    expect(decodeAnswer(header, 'body', { ...request, to: 'c/x' }, keys)).toEqual(refused);
    // A signed request must not pass as an answer.
    expect(decodeAnswer(encodeRequest(request, keys), '', request, keys)).toEqual(refused);
  });

  test('can be rotated: both keys are accepted, and the first one signs', () => {
    const rotating = new MeshKeys([newKey, oldKey]);
    const old = new MeshKeys([oldKey]);
    expect(decodeRequest(encodeRequest(request, old), rotating)).toEqual(request);
    expect(decodeRequest(encodeRequest(request, rotating), keys)).toEqual(request);
    expect(decodeRequest(encodeRequest(request, rotating), old)).toEqual({
      refused: 'unauthenticated',
    });
  });

  test('file has one or two keys of at least 16 bytes, and a refusal shows no part of one', () => {
    expect(parseMeshKeys(`${newKey}\r\n\n${oldKey}\n`)).toEqual([newKey, oldKey]);
    expect(() => parseMeshKeys('')).toThrow(
      'expected one or two keys, each on a line of its own, got 0',
    );
    expect(() => parseMeshKeys('secret')).toThrow(
      'expected a key of at least 16 bytes in line 1, got 6 bytes',
    );
    expect(() => parseMeshKeys('a\nb\nc')).toThrow('got 3');
  });
});
