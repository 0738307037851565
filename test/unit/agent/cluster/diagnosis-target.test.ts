import { expect, test } from 'vitest';
import { diagnosisTarget } from '../../../../agent/cluster/diagnosis-target.js';
import type { Target } from '../../../../agent/model/target.js';
import type { TargetPlaneView, TargetView } from '../../../../agent/targets/views.js';

function view(probe: Target['probe'], planes: readonly Partial<TargetPlaneView>[]): TargetView {
  const target = { name: 'web', digest: 7, probe } as Target;
  return { target, planes: planes as readonly TargetPlaneView[] } as TargetView;
}

const dns = { kind: 'dns', dns: { servers: [], query: 'a.example', type: 'A' } } as unknown;
const asking = (...servers: string[]): Partial<TargetPlaneView> => ({
  servers: servers.map((server) => ({
    server,
    state: { state: 'reachable', failure: undefined, failureKind: undefined },
  })),
});

test('the nameservers of a host without an endpoint are asked in commands', () => {
  const serversOf = (...planes: Partial<TargetPlaneView>[]) =>
    diagnosisTarget(view(dns as Target['probe'], planes)).servers;
  expect(serversOf(asking('192.0.2.53'), asking())).toEqual(['192.0.2.53']);
  expect(serversOf(asking('192.0.2.53'))).toEqual(['192.0.2.53']);
  expect(serversOf(asking('192.0.2.53'), asking('192.0.2.53'))).toEqual(['192.0.2.53']);
  expect(serversOf(asking('192.0.2.53'), asking('10.96.0.10'))).toEqual([]);
  expect(serversOf(asking(), asking())).toEqual([]);
});

test('the status is told only while it is the failure', () => {
  const probe = { kind: 'http', http: { url: 'http://a.example/?token=x' } } as unknown;
  const statusOf = (failureKind: string | undefined, status: number | undefined) =>
    diagnosisTarget(
      view(probe as Target['probe'], [
        { state: { failureKind }, answer: { status } } as unknown as TargetPlaneView,
      ]),
    ).statusHere;
  expect(statusOf('status', 404)).toBe(404);
  expect(statusOf('timeout', 200)).toBeUndefined();
  expect(statusOf('status', undefined)).toBeUndefined();
});
