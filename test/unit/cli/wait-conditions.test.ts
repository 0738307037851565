import { expect, test } from 'vitest';
import { checkConditions, type ConditionOptions } from '../../../cli/wait-conditions.js';
import type { TargetPlane } from '../../../api/schema/v1/targets.js';
import { targetBody, targetPlane } from '../../doubles/targets.js';
import { endpointPlaneFinding, MemoryV1Source, nodeEntry } from '../../doubles/v1-source.js';

const notReady = endpointPlaneFinding({ known: 'Kubernetes: NotReady since 14:02' });
const other = endpointPlaneFinding({ id: 'other', kind: 'pair', node: 'c/n3', text: 'n3 fails' });

/** What stands in the way in this cluster. */
async function problems(
  set: (source: MemoryV1Source) => void,
  options: ConditionOptions = {},
): Promise<string[]> {
  const source = new MemoryV1Source(['c/n1', 'c/n3', 'c/n7']);
  set(source);
  const client = {
    summary: () => Promise.resolve(source.summary()),
    findings: () => Promise.resolve(source.findings()),
    node: (name: string) => {
      const node = source.node(name);
      return Promise.resolve('nearest' in node ? nodeEntry(name) : node);
    },
    target: (name: string) => {
      const target = source.target(name);
      if ('nearest' in target) throw new Error(`no target ${name}`);
      return Promise.resolve(target);
    },
  };
  const conditions = await checkConditions(client, options);
  return conditions.flatMap((condition) => condition.problems);
}

test('a verdict that is not known is in the way, with its reason', async () => {
  const unknown = (source: MemoryV1Source) => {
    source.verdict = 'unknown';
    source.reason = 'no other agent answers yet (60 refuse port 4240)';
  };
  expect(await problems(() => undefined)).toEqual([]);
  const reasons = ['no other agent answers yet (60 refuse port 4240)'];
  expect(await problems(unknown)).toEqual(reasons);
  expect(await problems(unknown, { kind: ['pair'] })).toEqual(reasons);
  expect(await problems(unknown, { node: ['n3'] })).toEqual(reasons);
});

test('failing pairs without a cause are in the way beside findings, and of single nodes by their verdicts', async () => {
  const failing = (source: MemoryV1Source) => {
    source.open = [notReady];
    source.unexplained = 3;
  };
  const pairs = '3 failing pairs, cause not known yet';
  expect(await problems(failing)).toEqual([pairs, `endpoint-plane: ${notReady.text}`]);
  expect(await problems(failing, { ignoreNotReady: true })).toEqual([pairs]);
  expect(await problems(failing, { node: ['n3'] })).toEqual([]);
});

test('failing targets without a cause are in the way like failing pairs', async () => {
  const failing = (source: MemoryV1Source) => {
    source.open = [notReady];
    source.unexplainedTargets = 1;
  };
  const target = '1 failing target, cause not known yet';
  expect(await problems(failing, { ignoreNotReady: true })).toEqual([target]);
  expect(await problems(failing, { node: ['n3'] })).toEqual([]);
  const both = (source: MemoryV1Source) => {
    failing(source);
    source.unexplained = 2;
  };
  expect(await problems(both, { ignoreNotReady: true })).toEqual([
    '2 failing pairs and 1 failing target, cause not known yet',
  ]);
});

test('findings about NotReady nodes are left out if that is wanted, and no others', async () => {
  const ignoreNotReady = true;
  const down = (source: MemoryV1Source) => {
    source.open = [notReady];
    source.entries.set('c/n7', nodeEntry('c/n7', { verdict: 'broken' }));
  };
  const both = (source: MemoryV1Source) => {
    down(source);
    source.open = [notReady, other];
  };
  expect(await problems(down)).toEqual([`endpoint-plane: ${notReady.text}`]);
  expect(await problems(down, { ignoreNotReady })).toEqual([]);
  expect(await problems(both, { ignoreNotReady })).toEqual(['pair: n3 fails']);
  expect(await problems(down, { ignoreNotReady, node: ['n7'] })).toEqual([]);
  expect(await problems(down, { node: ['n7'] })).toEqual([`endpoint-plane: ${notReady.text}`]);
  expect(await problems(both, { ignoreNotReady, node: ['n3'] })).toEqual(['pair: n3 fails']);
});

test('a target is not waited for on a plane that no node has', async () => {
  const looked = (of: number, notLooked: number) =>
    targetPlane(of, { reached: { from: of, of, lossy: 0, slow: 0, notLooked } });
  const on = (host: TargetPlane, endpoint: TargetPlane) => (source: MemoryV1Source) => {
    source.openTargets = [targetBody('dns', 3, { planes: { host, endpoint } })];
  };
  const options = { target: ['dns'] };
  expect(await problems(on(looked(3, 0), looked(0, 0)), options)).toEqual([]);
  const nobody = 'nobody has looked yet';
  expect(await problems(on(looked(3, 0), looked(0, 3)), options)).toEqual([
    `target dns on the endpoint plane: ${nobody}`,
  ]);
  expect(await problems(on(looked(0, 0), looked(0, 0)), options)).toEqual([
    `target dns on the host plane: ${nobody}`,
    `target dns on the endpoint plane: ${nobody}`,
  ]);
});

test('a finding of many is in the way of those that it stands for, and of no others', async () => {
  const many = (source: MemoryV1Source) => {
    const { node, ...one } = notReady;
    source.open = [{ ...one, id: 'endpoint-plane:many', count: 17 }];
    if (node === undefined) return;
    const findings = ['endpoint-plane:many'];
    source.entries.set(node, nodeEntry(node, { verdict: 'broken', findings }));
  };
  expect(await problems(many, { node: ['n3'] })).toEqual([]);
  expect(await problems(many, { node: ['n7'] })).toEqual([`endpoint-plane: ${notReady.text}`]);
  expect(await problems(many, { node: ['n7'], ignoreNotReady: true })).toEqual([]);
});
