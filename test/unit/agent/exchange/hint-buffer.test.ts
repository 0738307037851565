import { expect, test } from 'vitest';
import { HintBuffer } from '../../../../agent/exchange/hints/hint-buffer.js';
import { encodeHints } from '../../../../agent/exchange/hints/hint-codec.js';
import type { Hint } from '../../../../agent/exchange/hints/hint.js';

const subject = { node: 'c/dead', plane: 'host', protocol: 'icmp' } as const;
const heard: Hint = { ...subject, change: 'failure', ageMs: 100, isWitness: false };

test('a peer is told each hint once, and not at all if it told it', () => {
  const hints = new HintBuffer();
  hints.hear(heard, 'c/teller', 0);
  expect(hints.take('c/teller', 10)).toEqual([]);
  expect(hints.take('c/other', 10)).toEqual([{ ...heard, ageMs: 110 }]);
  expect(hints.take('c/other', 20)).toEqual([]);
});

test('who saw a change itself tells it also to those that know of it, once', () => {
  const hints = new HintBuffer();
  hints.hear(heard, 'c/teller', 0);
  hints.take('c/other', 10);
  hints.witness(subject, 'failure', 20);
  for (const peer of ['c/teller', 'c/other']) {
    expect(hints.take(peer, 30)).toEqual([{ ...heard, ageMs: 10, isWitness: true }]);
    expect(hints.take(peer, 40)).toEqual([]);
  }
});

test('a change back is told to those that know of the change', () => {
  const hints = new HintBuffer();
  hints.witness(subject, 'failure', 0);
  hints.take('c/other', 10);
  hints.witness(subject, 'recovery', 20);
  expect(hints.take('c/other', 30).map(({ change }) => change)).toEqual(['recovery']);
});

test('hints that do not fit into a message are told with the next one', () => {
  const hints = new HintBuffer();
  const nodes = Array.from({ length: 20 }, (_, index) => `c/${'n'.repeat(200)}${index}`);
  for (const node of nodes) hints.witness({ ...subject, node }, 'failure', 0);
  const told: string[] = [];
  for (let message = 0; message < 5; message++) {
    const taken = hints.take('c/other', 10);
    expect(encodeHints(taken).split(',').filter(Boolean)).toHaveLength(taken.length);
    told.push(...taken.map(({ node }) => node));
  }
  expect(told.sort()).toEqual(nodes.sort());
});
