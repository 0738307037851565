import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../../agent/config/config.js';
import { useFolder } from '../../../resources/folder.js';

const folder = useFolder();
beforeAll(() => {
  writeFileSync(join(folder, 'token'), 'x');
});

const inPod = { KUBERNETES_SERVICE_HOST: '10.96.0.1' };
const nodes = { 'nodes-file': '/nodes.yaml' };
const file = (text: string) => {
  writeFileSync(join(folder, 'agent.yaml'), text);
  return { config: join(folder, 'agent.yaml') };
};

describe('the configuration of targets', () => {
  test('has those of Kubernetes in a pod, unless told otherwise, and none elsewhere', () => {
    const kind = (flags: object, environment = {}) =>
      loadConfig({ ...flags }, environment, folder).targets.kind;
    expect(kind({}, inPod)).toBe('kubernetes');
    expect(kind({ targets: 'auto' }, inPod)).toBe('kubernetes');
    expect(kind({ targets: 'none' }, inPod)).toBe('none');
    expect(kind({}, { ...inPod, MESHPROBE_TARGETS: 'none' })).toBe('none');
    expect(kind(nodes, inPod)).toBe('none');
    expect(kind({ ...nodes, targets: 'auto' })).toBe('none');
    expect(kind({ 'node-source': 'kubernetes', kubeconfig: '/k' }, inPod)).toBe('none');
  });

  test('has its documented defaults', () => {
    const config = loadConfig(nodes, {}, folder);
    expect(config.certificateWarningMs).toBe(21 * 86_400_000);
    expect(config.targets).toMatchObject({
      inline: [],
      file: undefined,
      budgetPerSecond: 50,
      pod: { clusterDns: [], clusterDomain: undefined, resolvConf: '/etc/resolv.conf' },
    });
  });

  test('takes a list of the file, and what flags and variables say', () => {
    const flags = file('targets:\n  - name: a\n    icmp: 198.51.100.1\n');
    const given = { ...nodes, ...flags, 'targets-file': '/t', 'cluster-dns': '10.0.0.10,fd00::a' };
    const environment = { MESHPROBE_TARGET_BUDGET: '7', MESHPROBE_CLUSTER_DOMAIN: 'k.example' };
    expect(loadConfig(given, environment, folder).targets).toMatchObject({
      inline: [{ name: 'a', probe: { kind: 'icmp', host: '198.51.100.1' } }],
      file: '/t',
      budgetPerSecond: 7,
      pod: { clusterDns: ['10.0.0.10', 'fd00::a'], clusterDomain: 'k.example' },
    });
  });

  test.each([
    [
      'targets: maybe',
      'targets: expected none or auto, or a list of targets in the configuration file, got "maybe"',
    ],
    ['targets: {a: b}', 'got a mapping'],
    [
      '\n\ntargets: [{name: A}]',
      'targets[0].name: expected a name of 1 to 63 of a-z, 0-9 and -, not at its ends, got "A"',
    ],
    [
      'targets: [{name: a, http: {url: "http://u:secret@b: c/"}}]',
      'targets[0].http.url: expected a URL without spaces and control characters, got "…@b: c/"',
    ],
    ['target-budget: 0', 'target-budget: expected a whole number from 1 to 100000, got 0'],
    ['cluster-domain: "a,b"', 'cluster-domain: expected a domain such as cluster.local, got "a,b"'],
    ['cluster-dns: kube-dns', 'cluster-dns: expected one or more IP addresses, got "kube-dns"'],
  ])('refuses %j in one line, with its place', (text, words) => {
    let message = '';
    try {
      loadConfig({ ...nodes, ...file(text) }, {}, folder);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain(words);
    expect(message).toMatch(/^[^\n]* \(\S+agent\.yaml:\d+\)$/);
    expect(message).not.toContain('secret');
  });

  test('shows no target of the file where a flag replaces it', () => {
    const flags = { ...nodes, ...file('targets: [{name: a, icmp: 198.51.100.1}]') };
    expect(loadConfig({ ...flags, targets: 'none' }, {}, folder).targets.inline).toEqual([]);
  });
});
