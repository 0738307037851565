import { describe, expect, test } from 'vitest';
import { Challenges } from '../../../../../agent/exchange/messages/challenges.js';
import { VirtualClock } from '../../../../sim/lib/virtual-clock.js';

const holdsMs = 60_000;

/** An agent, and how a peer of it proves that its requests are new. */
function createPair() {
  const clock = new VirtualClock();
  const agent = new Challenges({ clock, processId: 'a1' });
  const peer = new Challenges({ clock, processId: 'b1' });
  peer.keep('c/a', agent.issue());
  const accepts = (proof = peer.prove('c/a')) => agent.accepts('c/b', proof, holdsMs);
  return { clock, agent, peer, accepts };
}

describe('a request', () => {
  test('is new where its number rises, also while no answer comes', () => {
    const { peer, agent, accepts } = createPair();
    expect([accepts(), accepts(), accepts()]).toEqual([true, true, true]);
    peer.keep('c/a', agent.issue());
    expect(accepts()).toBe(true);
  });

  test('that was accepted before is not, nor one from before it', () => {
    const { peer, agent, accepts } = createPair();
    const [first, second] = [peer.prove('c/a'), peer.prove('c/a')];
    expect(accepts(second)).toBe(true);
    expect([accepts(first), accepts(second)]).toEqual([false, false]);
    peer.keep('c/a', agent.issue());
    expect(accepts(peer.prove('c/a'))).toBe(true);
    expect(accepts(second)).toBe(false);
  });

  test('to an earlier process of the agent is not, and its first answer makes the next one so', () => {
    const { clock, peer, accepts } = createPair();
    const recorded = peer.prove('c/a');
    const restarted = new Challenges({ clock, processId: 'a2' });
    expect(restarted.accepts('c/b', recorded, holdsMs)).toBe(false);
    expect(accepts(recorded)).toBe(true);
    peer.keep('c/a', restarted.issue());
    expect(restarted.accepts('c/b', peer.prove('c/a'), holdsMs)).toBe(true);
  });

  test('of a process that began anew is, once it was answered', () => {
    const { clock, agent, accepts } = createPair();
    accepts();
    const restarted = new Challenges({ clock, processId: 'b2' });
    expect(restarted.prove('c/a')).toBeUndefined();
    restarted.keep('c/a', agent.issue());
    expect(accepts(restarted.prove('c/a'))).toBe(true);
  });

  test('that was held back for long is not', () => {
    const { clock, peer, accepts } = createPair();
    const held = peer.prove('c/a');
    clock.runUntil(clock.nowMs() + holdsMs + 10);
    expect(accepts(held)).toBe(false);
  });

  test.each(['', 'a1', 'a1.1', 'a1.1.', 'a1.99999.0', 'a1.1.0.0', 'A1.1.0', 'b1.1.0'])(
    'with a proof that answers no challenge is not: %j',
    (proof) => {
      expect(createPair().accepts(proof)).toBe(false);
    },
  );

  test('of a peer that is listed no more proves nothing', () => {
    const { peer, accepts } = createPair();
    peer.retain(() => false);
    expect(accepts(peer.prove('c/a'))).toBe(false);
  });
});
