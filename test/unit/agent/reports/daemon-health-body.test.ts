import { expect, test } from 'vitest';
import { Problems } from '../../../../agent/platform/problems.js';
import { daemonHealthBody } from '../../../../agent/reports/daemon-health-body.js';
import { daemonHealthSchema } from '../../../../api/schema/daemon-health.js';

function bodyWith(problems: Problems) {
  const body = daemonHealthBody({
    problems,
    eventLoop: { longestStallMs: () => 0, longestStarvationMs: () => 0 },
    plan: () => ({}),
    echoCounts: undefined,
  });
  return daemonHealthSchema.parse(JSON.parse(JSON.stringify(body)));
}

test('the health of the agent gives each problem in words, and with its code and severity', () => {
  const problems = new Problems();
  problems.set('not-sent:icmp', 'no permission');
  problems.set('no-address', 'c/a has no address');
  expect(bodyWith(problems)).toMatchObject({
    cilium: { cilium: { state: 'Warning', msg: 'no permission; c/a has no address' } },
    problems: ['no permission', 'c/a has no address'],
    'problem-details': [
      { code: 'not-sent', severity: 'error', text: 'no permission' },
      { code: 'no-address', severity: 'warning', text: 'c/a has no address' },
    ],
  });
});

test('the health of an agent without problems has empty lists', () => {
  expect(bodyWith(new Problems())).toMatchObject({
    cilium: { cilium: { state: 'Ok', msg: '' } },
    problems: [],
    'problem-details': [],
  });
});
