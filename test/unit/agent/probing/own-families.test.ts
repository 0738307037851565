import { expect, test } from 'vitest';
import { localFailure } from '../../../../agent/model/system-error.js';
import { timeout, type Sample } from '../../../../agent/model/sample.js';
import { OwnFamilies } from '../../../../agent/probing/own-families.js';
import { VirtualClock } from '../../../sim/lib/virtual-clock.js';

const unreachable: Sample = { ...localFailure('network is unreachable'), sentMs: 3, at: 4 };

/** A host whose node is listed with some addresses, and that lacks a family or not. */
function createHost(ownIps: readonly string[], lacks: boolean) {
  const host = { lacks, asked: 0 };
  const clock = new VirtualClock();
  const families = new OwnFamilies({
    clock,
    ownIps: () => ownIps,
    lacksFamily: () => {
      host.asked++;
      return host.lacks;
    },
  });
  return { host, clock, families };
}

const noFamily: Sample = {
  outcome: 'not-sent',
  reason: 'no-family',
  detail: 'this host lacks that address family',
  sentMs: 3,
  at: 4,
};
const noPort: Sample = { ...noFamily, reason: 'no-port', detail: 'EADDRNOTAVAIL' };
const lost: Sample = { ...localFailure('no address of its own to send from'), sentMs: 3, at: 4 };

test.each([
  ['never had IPv4', ['fd00::1'], '10.9.0.2', unreachable, noFamily],
  ['never had IPv6', ['10.9.0.1'], 'fd00::2', noPort, noFamily],
  ['lost its only address', ['10.9.0.1'], '10.9.0.2', unreachable, lost],
  ['lost one of its two families', ['10.9.0.1', 'fd00::1'], 'fd00::2', noFamily, lost],
])('a host that %s says so', (_, ownIps, ip, sample, expected) => {
  expect(createHost(ownIps, true).families.explain(ip, sample)).toEqual(expected);
});

test.each([
  ['has an address that is not listed', ['fd00::1'], false, unreachable],
  ['has no port left', ['10.9.0.1'], false, noPort],
  ['is not listed', [], true, unreachable],
  ['gets no answer', ['fd00::1'], true, { ...timeout, sentMs: 3, at: 4 }],
])('a host that %s has the failure that it met', (_, ownIps, lacks, sample: Sample) => {
  expect(createHost(ownIps, lacks).families.explain('10.9.0.2', sample)).toBe(sample);
});

test('the addresses of the host are listed once in five seconds', () => {
  const { host, clock, families } = createHost(['fd00::1'], true);
  const explain = () => families.explain('10.9.0.2', unreachable).outcome;
  expect([explain(), explain(), host.asked]).toEqual(['not-sent', 'not-sent', 1]);
  host.lacks = false;
  clock.runUntil(6000);
  expect([explain(), host.asked]).toEqual(['failure', 2]);
});
