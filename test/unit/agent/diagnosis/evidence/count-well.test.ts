import { describe, expect, it } from 'vitest';
import { answeredSince } from '../../../../../agent/diagnosis/evidence/count-well.js';
import { EntryList } from '../../../../../agent/diagnosis/evidence/entry-list.js';
import type { FailureKind } from '../../../../../agent/model/failure.js';

const [hostIcmp, hostHttp, endpointIcmp] = [0, 1, 2] as const;

/** An entry whose HTTP at the node IP fails for five seconds, while echoes there answered since. */
function failing(failure: FailureKind = 'timeout', answered = 1 << hostIcmp) {
  const entries = new EntryList();
  const entry = entries.add(0, 1);
  const of = { node: 'c/n2', plane: 'host', protocol: 'http' } as const;
  const path = { ...of, state: 'unreachable', ageSeconds: 5, failure } as const;
  entries.note(entry, hostHttp, { ...path, answeredSince: answered }, 0);
  return (channel: number, beganS: number) =>
    answeredSince(entries, entry, 1 << hostHttp, channel, beganS);
}

describe('a path that answered since another one to the node fails', () => {
  it('worked since what began before that', () => {
    // The first of three probes was lost 1.4 s before the verdict.
    expect(failing()(hostIcmp, 6.5)).toBe(true);
    expect(failing()(hostIcmp, 100)).toBe(true);
    expect(failing()(endpointIcmp, 100)).toBe(false);
  });

  it('may have failed since what began later: ages are whole seconds', () => {
    expect(failing()(hostIcmp, 5.3)).toBe(false);
    expect(failing()(hostIcmp, 5.5)).toBe(true);
  });

  it('is known sooner where the connection was refused: nobody waited for an answer', () => {
    expect(failing('refused')(hostIcmp, 4.3)).toBe(false);
    expect(failing('refused')(hostIcmp, 4.5)).toBe(true);
  });

  it('is not known of the row of an older agent, nor of a channel that fails no more', () => {
    expect(failing('timeout', 0)(hostIcmp, 100)).toBe(false);
    const entries = new EntryList();
    const entry = entries.add(0, 1);
    entries.answeredSince[entry] = 1 << (4 * hostHttp + hostIcmp);
    expect(answeredSince(entries, entry, 0, hostIcmp, 100)).toBe(false);
  });
});
