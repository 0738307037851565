import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OwnConnects, portRange } from '../../../../agent/host/sources/own-connects.js';
import type { NotSentReason } from '../../../../agent/model/failure.js';
import { timeout, type Outcome } from '../../../../agent/model/sample.js';
import { hostFixtures } from './kernel-files.js';

const proc = join(hostFixtures, 'all/proc');
const reply: Outcome = { outcome: 'reply', rttNs: 1000 };
const notSent = (reason: NotSentReason): Outcome => ({ outcome: 'not-sent', reason, detail: '' });

/** An agent whose probes end as told, ten seconds after each other. */
function createAgent() {
  let nowMs = 0;
  const connects = new OwnConnects({ nowMs: () => nowMs }, proc);
  return {
    connects,
    afterProbes: async (...outcomes: readonly Outcome[]) => {
      nowMs += 10_000;
      for (const outcome of outcomes) connects.note({ sentMs: nowMs, at: nowMs, ...outcome });
      return (await connects.read()).map((one) => 'outOf' in one && [one.value, one.outOf]);
    },
  };
}

describe('the connects of an agent', () => {
  test('without a free port are counted of all connects of the last minute', async () => {
    const { connects, afterProbes } = createAgent();
    expect(await afterProbes(reply, timeout, notSent('no-port'))).toEqual([[1, 3]]);
    expect(await afterProbes(notSent('no-port'), notSent('no-port'))).toEqual([[3, 5]]);
    for (let reading = 0; reading < 4; reading++) await afterProbes(reply);
    expect(await afterProbes(reply)).toEqual([[2, 7]]);
    expect(await afterProbes(reply)).toEqual([[0, 6]]);
    expect(await connects.read()).toMatchObject([
      { sign: 'ports-exhausted', about: '32768-60999' },
    ]);
  });

  test('are not those probes that did not come as far', async () => {
    const { connects, afterProbes } = createAgent();
    expect(await afterProbes(notSent('no-descriptor'), notSent('no-family'))).toEqual([]);
    expect(connects.because()).toBe('this agent sent no HTTP probe in the last minute');
    expect(await afterProbes(reply)).toEqual([[0, 1]]);
    expect(connects.because()).toBeUndefined();
  });
});

test.each([
  ['32768\t60999\n', '32768-60999'],
  ['', ''],
  ['\0', ''],
  ['-1 5', ''],
  ['60999 32768', ''],
  ['1 70000', ''],
  ['1 2 3', ''],
  ['9'.repeat(64), ''],
  [undefined, ''],
])('the range of ports %j is %j', (text, range) => {
  expect(portRange(text)).toBe(range);
});
