import { describe, expect, test } from 'vitest';
import { statusSchema, type Status } from '../../../../api/schema/status.js';
import type { Plan } from '../../../../agent/model/plan.js';
import type { Sample } from '../../../../agent/model/sample.js';
import { runAtOnce } from '../../../../agent/platform/time-slices.js';
import { renderStatus } from '../../../../cli/view/status-text.js';
import { renderSuccinct } from '../../../../cli/view/succinct.js';
import { createStatusWriter } from '../../../../agent/reports/status-body.js';
import { answered, listIn, lost, makeStore } from '../../../rows/make-store.js';

const at = Date.parse('2020-12-29T15:17:02Z');
const reply: Sample = { ...answered, at, rttNs: 9557967 };
const failure: Sample = { ...lost, sentMs: 2, at };

/** The primary path to the first node by ICMP. */
const primaryOf = ({ nodes: [node] }: Status) => node?.host?.['primary-address'];

const planOf = (intervalMs: number) => ({ paths: 3, intervalMs, timeToDetectMs: 61_500 });

function bodyAfter(
  icmp: Sample[],
  http: Sample[],
  unavailable = {},
  isBrief = false,
  answerHoldsMs = (): number => Infinity,
  plan: Plan = { icmp: planOf(60_000) },
): Status {
  const each = { failures: 3, recovery: 2 };
  const clock = { nowMs: () => performance.now(), wallMs: () => at };
  const store = makeStore({ each, clock, answerHoldsMs });
  const node = { name: 'c1/n1', host: ['10.5.6.60', '2001:db8::1'], endpoint: ['10.6.2.213'] };
  const [path] = listIn(store, node, { name: 'c1/n2', host: [], endpoint: [] });
  for (const sample of icmp) store.record(path, 'icmp', sample);
  for (const sample of http) store.record(path, 'http', sample);
  store.setPlan(plan);
  const thresholds = { icmp: each, http: each };
  const write = createStatusWriter({ localName: 'c1/n1', thresholds, unavailable, isBrief });
  const body: unknown = JSON.parse(runAtOnce(write(store.snapshot())).toString());
  return statusSchema.parse(body);
}

describe('the status body', () => {
  test('says of a path that nobody answered for too long that it is unknown, and why', () => {
    const body = bodyAfter([reply], [reply], {}, false, () => -1);
    const unknown = { icmp: 'not answered for long', http: 'not answered for long' };
    expect(primaryOf(body)).toEqual({ ip: '10.5.6.60', unknown });
  });

  test('has the fields of the contract', () => {
    const body = bodyAfter([reply], [reply]);
    expect(body).toMatchObject({
      local: { name: 'c1/n1' },
      timestamp: '2020-12-29T15:17:02.000Z',
      probeInterval: '1m0s',
    });
    const works = {
      latency: 9557967,
      lastProbed: '2020-12-29T15:17:02.000Z',
      state: 'reachable',
      since: '2020-12-29T15:17:02.000Z',
      failures: 0,
      min: 9557967,
      p50: 9557967,
      max: 9557967,
    };
    expect(primaryOf(body)).toEqual({ ip: '10.5.6.60', icmp: works, http: works });
    expect(body.nodes[0]?.host?.['secondary-addresses']).toHaveLength(1);
    expect(body.nodes[0]?.endpoint?.ip).toBe('10.6.2.213');
    expect(body.nodes[1]).toEqual({ name: 'c1/n2' });
  });

  test.each([
    [{ icmp: planOf(1000), http: planOf(5000) }, '5s'],
    [{ icmp: planOf(60_000), http: planOf(5000) }, '1m0s'],
    [{}, '0s'],
  ])('has the longest interval of the plan %j as the one interval of Cilium', (plan, interval) => {
    expect(bodyAfter([reply], [reply], {}, false, () => Infinity, plan).probeInterval).toBe(
      interval,
    );
  });

  test('leaves out what is unknown and gives the reason beside it', () => {
    expect(primaryOf(bodyAfter([], [failure]))).toEqual({
      ip: '10.5.6.60',
      unknown: { icmp: 'not probed yet', http: '1 of 3 failures: Connection timed out' },
    });
  });

  test('says why a protocol is not probed at all', () => {
    const body = bodyAfter([], [reply], { icmp: 'no permission' });
    expect(primaryOf(body)?.unknown).toEqual({ icmp: 'no permission' });
  });

  test('shows the last good latency and the failures while a failure is not confirmed', () => {
    const icmp = primaryOf(bodyAfter([reply, failure], []))?.icmp;
    expect(icmp).toMatchObject({ latency: 9557967, state: 'reachable', failures: 1 });
    expect(icmp?.status).toBeUndefined();
  });

  test('shows a failed path without latency', () => {
    const icmp = primaryOf(bodyAfter([reply, failure, failure, failure], []))?.icmp;
    expect(icmp).toMatchObject({
      status: 'Connection timed out',
      failureKind: 'timeout',
      state: 'unreachable',
      failures: 3,
    });
    expect(icmp).not.toHaveProperty('latency');
  });
});

describe('the brief status body', () => {
  const answered = (count: number) => Array.from({ length: count }, () => reply);
  const slow = (count: number) => answered(count).map((one) => ({ ...one, rttNs: 50_000_000 }));
  const icmpOf = (name: string) => {
    const [icmp, http] = cases[name] ?? [[], []];
    const [whole, brief] = [false, true].map((isBrief) => bodyAfter(icmp, http, {}, isBrief));
    return [whole, brief].map((body) => body && primaryOf(body)?.icmp);
  };
  const cases: Record<string, [icmp: Sample[], http: Sample[]]> = {
    'that answers': [[reply], [reply]],
    'that was not probed': [[], []],
    'that fails': [
      [failure, failure, failure],
      [reply, failure],
    ],
    'that loses probes': [
      [...answered(20), failure, ...answered(9), failure, reply, failure, reply],
      [reply],
    ],
    'that has become slow': [[...answered(200), ...slow(60)], [reply]],
    'with a doubtful RTT': [[{ ...reply, tainted: true }], [reply]],
  };

  test.each(Object.entries(cases))('prints a path %s as the whole body does', (_, samples) => {
    const whole = bodyAfter(...samples);
    const brief = bodyAfter(...samples, {}, true);
    expect(renderStatus(brief)).toBe(renderStatus(whole));
    expect(renderSuccinct(brief)).toBe(renderSuccinct(whole));
  });

  test('says as the whole body does that a path is lossy or slow', () => {
    for (const path of icmpOf('that loses probes')) {
      expect(path).toMatchObject({ lossy: true, degraded: true });
      expect(path).not.toHaveProperty('slow');
    }
    for (const path of icmpOf('that has become slow')) {
      expect(path).toMatchObject({ slow: true, degraded: true });
      expect(path).not.toHaveProperty('lossy');
    }
    for (const path of icmpOf('that fails')) expect(path).not.toHaveProperty('degraded');
  });

  test('leaves out what status does not print', () => {
    const [node] = bodyAfter([reply], [reply], {}, true).nodes;
    expect(node).not.toHaveProperty('endpoint');
    expect(node?.host?.['secondary-addresses']).toHaveLength(1);
    expect(node?.['health-endpoint']).not.toHaveProperty('secondary-addresses');
    expect(node?.host?.['primary-address']?.icmp).toEqual({ latency: 9557967 });
  });
});

test('a text that is not ASCII stays complete', () => {
  const words = 'нет ответа – “∞” 🙂';
  const sample = { ...failure, detail: words } as Sample;
  expect(primaryOf(bodyAfter([sample, sample, sample], []))?.icmp?.status).toBe(words);
});
