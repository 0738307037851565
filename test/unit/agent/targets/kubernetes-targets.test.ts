import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { kubernetesTargets } from '../../../../agent/targets/definition/kubernetes-targets.js';
import type { PodSurroundings } from '../../../../agent/targets/definition/targets-config.js';
import { useFolder } from '../../../resources/folder.js';
import { podAt } from './lib/fake-target.js';

const folder = useFolder();
beforeAll(() => {
  writeFileSync(
    join(folder, 'pod'),
    'search a.svc.k.example svc.k.example k.example\nnameserver 10.96.0.10\n',
  );
  writeFileSync(join(folder, 'host'), 'nameserver 198.51.100.53\nsearch corp.example\n');
  writeFileSync(join(folder, 'ca.crt'), 'a certificate');
});

const variables = {
  KUBERNETES_SERVICE_HOST: '10.96.0.1',
  KUBERNETES_SERVICE_PORT: '443',
  MESHPROBE_SERVICE_HOST: '10.96.7.7',
  MESHPROBE_SERVICE_PORT: '4240',
};

function targetsIn(more: Partial<PodSurroundings> = {}) {
  const pod = { environment: variables, resolvConf: join(folder, 'pod'), ...more };
  const targets = kubernetesTargets(podAt(folder, pod));
  const named = (name: string) => {
    const target = targets.find((one) => one.name === name);
    if (!target) throw new Error(`there is no ${name}`);
    return target;
  };
  return { dns: named('cluster-dns'), api: named('api-server'), service: named('service') };
}

describe('the targets of Kubernetes', () => {
  test('are its DNS, its API server and the Service of the endpoints, from both planes', () => {
    const { dns, api, service } = targetsIn();
    for (const { from, notProbedBecause } of [dns, api, service]) {
      expect([from, notProbedBecause]).toEqual([['host', 'endpoint'], undefined]);
    }
    expect(dns.probe).toEqual({
      kind: 'dns',
      dns: {
        query: 'kubernetes.default.svc.k.example',
        type: 'A',
        servers: ['10.96.0.10'],
        expect: [],
      },
    });
    expect(api.probe).toMatchObject({
      http: { url: 'https://10.96.0.1/readyz', caFile: join(folder, 'ca.crt'), expectStatus: [] },
    });
    expect(api.probe).not.toHaveProperty('http.takesAnyCertificate');
    expect(service.probe).toMatchObject({
      http: { url: 'http://10.96.7.7:4240/hello', expectStatus: [200] },
    });
  });

  test("do not ask the host's nameservers: an agent on the host network says why", () => {
    const { dns } = targetsIn({ resolvConf: join(folder, 'host') });
    expect(dns.probe).toMatchObject({ dns: { servers: [] } });
    expect(dns.notProbedBecause).toBe(
      `${join(folder, 'host')} is not that of a pod, so the nameservers of pods are not known (--cluster-dns IP)`,
    );
    const missing = targetsIn({ resolvConf: join(folder, 'none') }).dns.notProbedBecause;
    expect(missing).toContain('there is no such file');
  });

  test('take nameservers and the domain that are given', () => {
    const host = join(folder, 'host');
    const given = targetsIn({
      resolvConf: host,
      clusterDns: ['10.0.0.10'],
      clusterDomain: 'c.example',
    });
    expect(given.dns).toMatchObject({
      probe: { dns: { servers: ['10.0.0.10'], query: 'kubernetes.default.svc.c.example' } },
    });
    expect(given.dns.notProbedBecause).toBeUndefined();
    const guessed = targetsIn({ resolvConf: host, clusterDns: ['10.0.0.10'] }).dns.probe;
    expect(guessed).toMatchObject({ dns: { query: 'kubernetes.default.svc.cluster.local' } });
  });

  test('are the same thing from the node and from its endpoint, which has no token and another resolv.conf', () => {
    const node = targetsIn({ clusterDns: ['169.254.20.10'] });
    const endpoint = targetsIn({ serviceAccount: join(folder, 'none') });
    expect(endpoint.api.probe).toMatchObject({
      http: { caFile: undefined, takesAnyCertificate: true },
    });
    for (const key of ['dns', 'api', 'service'] as const) {
      expect(endpoint[key].digest).toBe(node[key].digest);
    }
  });

  test('take IPv6, and say which variable is not set', () => {
    const v6 = targetsIn({
      environment: {
        ...variables,
        KUBERNETES_SERVICE_HOST: 'fd00::1',
        KUBERNETES_SERVICE_PORT: '6443',
      },
    });
    expect(v6.api.probe).toMatchObject({ http: { url: 'https://[fd00::1]:6443/readyz' } });
    const none = targetsIn({ environment: {} });
    expect(none.api.notProbedBecause).toBe('KUBERNETES_SERVICE_HOST is not set');
    expect(none.service.notProbedBecause).toContain('MESHPROBE_SERVICE_HOST is not set: ');
    const bad = targetsIn({
      environment: { MESHPROBE_SERVICE_HOST: 'a b', MESHPROBE_SERVICE_PORT: 'x' },
    });
    expect(bad.service.notProbedBecause).toBeDefined();
  });
});
