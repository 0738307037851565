import { describe, expect, test } from 'vitest';
import { timeout, type Outcome } from '../../../../agent/model/sample.js';
import { DnsServers } from '../../../../agent/targets/probers/dns-servers.js';
import { ServerConfirmations } from '../../../../agent/targets/probers/server-confirmations.js';
import { targetThresholds } from '../../../../agent/targets/target-plan.js';
import { isServerSuspected } from '../../../../agent/targets/views.js';
import { VirtualClock } from '../../../sim/lib/virtual-clock.js';

const [server, other] = ['10.96.0.10', '10.96.0.11'];
const reply: Outcome = { outcome: 'reply', rttNs: 1e6 };
const notSent: Outcome = { outcome: 'not-sent', reason: 'other', detail: 'no descriptor' };

/** A server that is known to answer, beside another one that does, and then does what the test says. */
function createServer(timeoutMs = 1000) {
  const clock = new VirtualClock();
  const servers = new DnsServers(targetThresholds);
  const state = { answers: timeout as Outcome, askedMs: [] as number[] };
  servers.set([server, other]);
  for (const one of [server, other]) servers.note(one, reply, -1);
  const confirmations = new ServerConfirmations({
    servers,
    failures: targetThresholds.failures,
    after: (delayMs, callback) => clock.after(delayMs, callback),
    ask(_, settle) {
      const sentMs = clock.nowMs();
      state.askedMs.push(sentMs);
      const outcome = state.answers;
      const takesMs = outcome === timeout ? timeoutMs : 1;
      return clock.after(takesMs, () => settle({ outcome, sentMs }));
    },
    onOutcome: () => undefined,
  });
  return { clock, servers, state, confirmations, stateNow: () => servers.views()[0]?.state.state };
}

describe('a DNS server that alone changes', () => {
  test('is unreachable two gaps and a timeout after the first query that it did not answer', () => {
    const { clock, servers, state, confirmations, stateNow } = createServer();
    // The query of time 0 is not answered after one gap, and fails at its timeout.
    clock.after(500, () => confirmations.begin(server, 500));
    clock.after(1000, () => {
      servers.note(server, timeout, 0);
      confirmations.begin(server, 1000);
    });
    clock.runUntil(1999);
    expect(stateNow()).toBe('reachable');
    clock.runUntil(2000);
    expect(stateNow()).toBe('unreachable');
    clock.runUntil(60_000);
    expect(state.askedMs).toEqual([500, 1000]);
  });

  test('is asked no more once it answers, and a late failure counts for nothing', () => {
    const { clock, servers, state, confirmations, stateNow } = createServer();
    state.answers = reply;
    clock.after(500, () => confirmations.begin(server, 500));
    clock.after(1000, () => servers.note(server, timeout, 0));
    clock.runUntil(60_000);
    expect(state.askedMs).toEqual([500]);
    expect(stateNow()).toBe('reachable');
  });

  test('is back after one more answer, a gap later', () => {
    const { clock, servers, state, confirmations, stateNow } = createServer();
    for (const sentMs of [0, 1, 2]) servers.note(server, timeout, sentMs);
    state.answers = reply;
    const isSuspected = () => servers.views().some(isServerSuspected);
    expect(isSuspected()).toBe(false);
    servers.note(server, reply, 3);
    expect(stateNow()).toBe('unreachable');
    expect(isSuspected()).toBe(true);
    confirmations.begin(server, 0);
    clock.runUntil(60_000);
    expect(state.askedMs).toEqual([500]);
    expect(stateNow()).toBe('reachable');
    expect(isSuspected()).toBe(false);
  });

  test('is not asked again for failing once more', () => {
    const { clock, servers, state, confirmations } = createServer();
    for (const sentMs of [0, 1, 2]) servers.note(server, timeout, sentMs);
    confirmations.begin(server, 400);
    clock.runUntil(60_000);
    expect(state.askedMs).toEqual([]);
  });

  test('is asked until its state is sure, and not at all by who cannot send', () => {
    const { clock, servers, state, confirmations } = createServer();
    servers.note(server, timeout, 0);
    state.answers = notSent;
    confirmations.begin(server, 500);
    clock.runUntil(60_000);
    expect(state.askedMs).toEqual([0]);
  });

  test('is not asked after the end', () => {
    const { clock, servers, state, confirmations } = createServer();
    servers.note(server, timeout, 0);
    confirmations.begin(server, 500);
    confirmations.close();
    confirmations.begin(server, 500);
    clock.runUntil(60_000);
    expect(state.askedMs).toEqual([]);
  });
});

describe('DNS servers that all come back', () => {
  function createBack() {
    const all = createServer();
    const { servers, state } = all;
    for (const one of [server, other])
      for (const sentMs of [0, 1, 2]) servers.note(one, timeout, sentMs);
    state.answers = reply;
    servers.note(server, reply, 3);
    return all;
  }

  test('are not asked by a series of their own, as the schedule asks all of them again', () => {
    const { clock, servers, state, confirmations, stateNow } = createBack();
    confirmations.begin(server, 0);
    clock.after(501, () => servers.note(server, reply, 501));
    clock.runUntil(60_000);
    expect(state.askedMs).toEqual([]);
    expect(stateNow()).toBe('reachable');
  });

  test('are asked a gap later if that left one in doubt', () => {
    const { clock, state, confirmations, stateNow } = createBack();
    confirmations.begin(server, 0);
    clock.runUntil(60_000);
    expect(state.askedMs).toEqual([1000]);
    expect(stateNow()).toBe('reachable');
  });
});
