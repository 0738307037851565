import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../../agent/config/config.js';
import { useFolder } from '../../../resources/folder.js';

const pods = {
  kind: 'pods',
  namespace: 'default',
  selector: 'app.kubernetes.io/name=meshprobe,app.kubernetes.io/component=endpoint',
};

const folder = useFolder();
let account: string;
beforeAll(() => {
  account = join(folder, 'serviceaccount');
  mkdirSync(account);
  writeFileSync(join(account, 'token'), 'secret');
  writeFileSync(join(account, 'namespace'), 'probes\n');
});

const inPod = { KUBERNETES_SERVICE_HOST: '198.51.100.1', HOME: '/root' };
const sourceOf = (flags: object, environment: NodeJS.ProcessEnv, serviceAccount = account) =>
  loadConfig({ ...flags }, environment, serviceAccount).nodeSource;

describe('the node source', () => {
  test('is Kubernetes with the service account in a pod, endpoints in its own namespace', () => {
    expect(sourceOf({}, inPod)).toEqual({
      kind: 'kubernetes',
      clusters: [
        {
          name: 'default',
          identity: {
            kind: 'service-account',
            folder: account,
            server: 'https://198.51.100.1:443',
          },
        },
      ],
      endpoints: { ...pods, namespace: 'probes' },
      excludeSelector: undefined,
    });
  });

  test('has the API server where the variables say, over IPv6 too', () => {
    const variables = { KUBERNETES_SERVICE_HOST: '2001:db8::1', KUBERNETES_SERVICE_PORT: '6443' };
    expect(sourceOf({}, variables)).toMatchObject({
      clusters: [{ identity: { server: 'https://[2001:db8::1]:6443' } }],
    });
  });

  test('is a file if one is given, even in a pod, and if there is no service account', () => {
    const file = { kind: 'file', path: 'nodes.yaml' };
    expect(sourceOf({ 'nodes-file': 'nodes.yaml' }, inPod)).toEqual(file);
    expect(() => sourceOf({}, inPod, join(folder, 'none'))).toThrow('nodes-file: expected');
    expect(() => sourceOf({}, { HOME: '/root' })).toThrow('nodes-file: expected');
    const flags = { 'nodes-file': 'nodes.yaml', 'node-source': 'kubernetes' };
    expect(sourceOf(flags, inPod)).toMatchObject({ kind: 'kubernetes' });
  });

  test.each([
    [{ kubeconfig: '/a' }, { ...inPod, KUBECONFIG: '/b' }, '/a'],
    [{}, { HOME: '/home/u', KUBECONFIG: '/b:/c' }, '/b:/c'],
    [{}, { HOME: '/home/u', KUBECONFIG: '' }, '/home/u/.kube/config'],
  ])('takes the kubeconfig of %j in %j', (flags, environment, paths) => {
    const source = sourceOf({ ...flags, 'node-source': 'kubernetes' }, environment);
    expect(source).toMatchObject({ clusters: [{ identity: { kind: 'kubeconfig', paths } }] });
  });

  test('takes a context of the kubeconfig, and refuses one that nothing would read', () => {
    const flags = { 'node-source': 'kubernetes', context: 'west' };
    expect(sourceOf(flags, { HOME: '/h' })).toMatchObject({
      clusters: [{ identity: { paths: '/h/.kube/config', context: 'west' } }],
    });
    expect(() => sourceOf(flags, inPod)).toThrow(
      'context: expected it with a kubeconfig, got it with the service account of a pod',
    );
    expect(() => sourceOf({ context: 'west', 'nodes-file': 'f' }, {})).toThrow(
      'context: expected it with node-source kubernetes, got it with file',
    );
  });

  test('may be several clusters, including the own one if there is one', () => {
    const flags = { 'node-source': 'kubernetes', cluster: 'west=/w,east=/e' };
    const namesOf = (source: object) =>
      (source as { clusters: { name: string }[] }).clusters.map(({ name }) => name);
    expect(namesOf(sourceOf(flags, {}))).toEqual(['west', 'east']);
    expect(namesOf(sourceOf(flags, inPod))).toEqual(['default', 'west', 'east']);
    expect(namesOf(sourceOf({ ...flags, kubeconfig: '/k' }, {}))).toHaveLength(3);
    expect(() => sourceOf({ ...flags, 'cluster-name': 'west' }, inPod)).toThrow(
      'cluster: expected another name than that of this agent\'s cluster (cluster-name), got "west"',
    );
    expect(() => sourceOf({ cluster: 'west=/w', 'nodes-file': 'f' }, {})).toThrow(
      'cluster: expected it with node-source kubernetes, got it with file',
    );
  });

  test('takes endpoints from where it is told', () => {
    const flags = { 'endpoint-namespace': 'x', 'endpoint-selector': 'a=b,!c' };
    expect(sourceOf(flags, inPod)).toMatchObject({
      endpoints: { kind: 'pods', namespace: 'x', selector: 'a=b,!c' },
    });
    expect(sourceOf({ 'endpoint-source': 'ciliumnodes' }, inPod)).toMatchObject({
      endpoints: { kind: 'ciliumnodes' },
    });
  });

  test('asks nobody for endpoints if they are not probed', () => {
    const flags = { 'enable-endpoint-health-checking': 'false' };
    expect(sourceOf(flags, inPod)).toMatchObject({ endpoints: { kind: 'none' } });
  });

  test('may be a Cilium agent', () => {
    const socketPath = '/var/run/cilium/cilium.sock';
    expect(sourceOf({ 'node-source': 'cilium' }, {})).toEqual({ kind: 'cilium', socketPath });
  });
});
