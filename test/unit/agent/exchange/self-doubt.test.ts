import { describe, expect, test } from 'vitest';
import { SelfDoubt } from '../../../../agent/exchange/hints/self-doubt.js';
import type { Path, Plane } from '../../../../agent/model/path.js';

const pathsTo = (nodes: number, plane: Plane = 'host'): Path[] =>
  Array.from({ length: nodes }, (_, at) => ({
    node: `c/n${at + 2}`,
    plane,
    ip: `10.0.0.${at + 2}`,
  }));

/** The doubt of an agent of which the probes by HTTP to these paths fail, one after the other. */
function afterFailures(paths: readonly Path[]): SelfDoubt {
  const doubt = new SelfDoubt();
  for (const path of paths) doubt.note(path, 'http', true);
  return doubt;
}

describe('an agent of which no probe is answered', () => {
  test('knows it after 32 hosts, or after all where there are fewer', () => {
    expect(afterFailures(pathsTo(31)).isUnanswered(100)).toBe(false);
    expect(afterFailures(pathsTo(32)).isUnanswered(100)).toBe(true);
    expect(afterFailures(pathsTo(4)).isUnanswered(5)).toBe(false);
    expect(afterFailures(pathsTo(5)).isUnanswered(5)).toBe(true);
    expect(new SelfDoubt().isUnanswered(0)).toBe(false);
  });

  test('does not count three probes of one host as three', () => {
    const [first] = pathsTo(1);
    if (!first) throw new Error('expected a path');
    const doubt = afterFailures(Array.from({ length: 40 }, () => first));
    expect(doubt.isUnanswered(100)).toBe(false);
  });

  test('is answered again with the first answer, whatever the other protocol says', () => {
    const paths = pathsTo(40);
    const doubt = afterFailures(paths);
    for (const path of paths) doubt.note(path, 'icmp', false);
    expect(doubt.isUnanswered(100)).toBe(true);
    for (const path of paths.slice(0, 1)) doubt.note(path, 'http', false);
    expect(doubt.isUnanswered(100)).toBe(false);
  });

  test('says nothing of endpoints, which may all be cut off', () => {
    expect(afterFailures(pathsTo(40, 'endpoint')).isUnanswered(100)).toBe(false);
  });
});

describe('an agent of which half of the probes fail', () => {
  test('may be at fault itself on that plane by that protocol, by the last 64 of them', () => {
    const doubt = afterFailures(pathsTo(33));
    for (const path of pathsTo(64).slice(33)) doubt.note(path, 'http', false);
    expect(doubt.isDoubtful('host', 'http')).toBe(true);
    expect(doubt.isDoubtful('host', 'icmp')).toBe(false);
    expect(doubt.isDoubtful('endpoint', 'http')).toBe(false);
    for (const path of pathsTo(66).slice(64)) doubt.note(path, 'http', false);
    expect(doubt.isDoubtful('host', 'http')).toBe(false);
  });
});
