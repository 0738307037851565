import { describe, expect, it } from 'vitest';
import { isOfBefore } from '../../../../../agent/diagnosis/life/recovering.js';
import { indexCluster } from '../../../../../agent/diagnosis/nouns/cluster-index.js';
import type { PastCause } from '../../../../../agent/diagnosis/nouns/memory.js';
import type { NamedCause } from '../../../../../agent/diagnosis/nouns/named-cause.js';
import { makeNodes, n } from '../cluster.js';

const index = indexCluster(makeNodes(4));
const endpoint = 0b1100;
const endedMs = 60_000;

const causeAt = (node: string, channels = endpoint): NamedCause => ({
  trouble: 'broken',
  channels,
  type: 'node',
  names: [node],
});

function past(more: Partial<PastCause> = {}): PastCause {
  return {
    ...causeAt(n(2)),
    ways: 'in',
    isSilent: false,
    isUnanswered: false,
    beganMs: 1000,
    shownMs: 61_000,
    endedMs,
    overMs: 62_000,
    ...more,
  };
}

describe('what is left of a cause that has ended', () => {
  const isLeft = (cause: NamedCause, sinceMs: number, ...known: PastCause[]) =>
    isOfBefore({ causes: [cause], sinceMs }, known, index);

  it('began to fail before its end', () => {
    expect(isLeft(causeAt(n(2)), 59_000, past())).toBe(true);
    expect(isLeft(causeAt(n(2)), 61_000, past())).toBe(false);
  });

  it('is on its channels and at its node', () => {
    expect(isLeft(causeAt(n(2), 0b1000), 2000, past())).toBe(true);
    expect(isLeft(causeAt(n(2), 0b0011), 2000, past())).toBe(false);
    expect(isLeft(causeAt(n(3)), 2000, past())).toBe(false);
  });

  it('is not of a cause that goes on, nor of losses', () => {
    expect(isLeft(causeAt(n(2)), 2000, past({ endedMs: undefined }))).toBe(false);
    expect(isLeft({ ...causeAt(n(2)), trouble: 'lossy' }, 2000, past())).toBe(false);
  });
});
