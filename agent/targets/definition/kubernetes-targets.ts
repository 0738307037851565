import { existsSync } from 'node:fs';
import { hostAndPort } from '../../model/host-and-port.js';
import { join } from 'node:path';
import { planes } from '../../model/path.js';
import type { DnsQuestion, HttpRequest, Target, TargetProbe } from '../../model/target.js';
import { messageOf } from '../../platform/errors.js';
import { clusterDomainOf, readResolvConf } from '../probers/resolv-conf.js';
import { digestOf } from './digest.js';
import { defaultIntervalMs, defaultTimeoutMs } from './parse-targets.js';
import type { PodSurroundings } from './targets-config.js';

/**
 * The targets that every cluster of Kubernetes has. What this process is not told makes a target
 * that it does not probe, and that says why.
 *
 * For manifests:
 * - `service` needs a Service named `meshprobe` over the endpoints in the namespace of agent and
 *   endpoint: the kubelet then sets MESHPROBE_SERVICE_HOST and MESHPROBE_SERVICE_PORT in pods that start
 *   later. Where it has another name, set them: `value: $(OTHER_NAME_SERVICE_HOST)`.
 * - `api-server` takes KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT, and `ca.crt` in the folder of
 *   the service account. An endpoint has no token; the ConfigMap kube-root-ca.crt, mounted as that folder,
 *   gives it the CA. Without it the endpoint takes any certificate: the agent on the node checks it.
 * - `cluster-dns` takes the nameservers of resolv.conf where the kubelet wrote it for the pod network. An
 *   agent on the host network needs dnsPolicy ClusterFirstWithHostNet, or --cluster-dns.
 */
export function kubernetesTargets(pod: PodSurroundings): Target[] {
  return [clusterDns(pod), apiServer(pod), service(pod)];
}

function clusterDns(pod: PodSurroundings): Target {
  const { resolvConf, clusterDns: given } = pod;
  const conf = attempt(() => readResolvConf(resolvConf));
  const domain = 'error' in conf ? undefined : clusterDomainOf(conf.value);
  const question = (servers: readonly string[]): DnsQuestion => ({
    query: `kubernetes.default.svc.${pod.clusterDomain ?? domain ?? 'cluster.local'}`,
    type: 'A',
    servers,
    expect: [],
  });
  // Which nameservers a node gives its pods does not make it another target: rows tell them beside the digest.
  const digest = digestOf({ kind: 'dns', dns: question([]) }, defaultTimeoutMs);
  const target = (servers: readonly string[], notProbedBecause?: string): Target => ({
    ...builtIn('cluster-dns', { kind: 'dns', dns: question(servers) }, notProbedBecause),
    digest,
  });
  if (given.length > 0) return target(given);
  if ('error' in conf) return target([], `${resolvConf}: ${conf.error}`);
  if (domain === undefined) {
    const why = `${resolvConf} is not that of a pod, so the nameservers of pods are not known`;
    return target([], `${why} (--cluster-dns IP)`);
  }
  if (conf.value.nameservers.length === 0) return target([], `${resolvConf} has no nameserver`);
  return target(conf.value.nameservers);
}

function apiServer({ environment, serviceAccount }: PodSurroundings): Target {
  const base = baseUrl('https', environment, 'KUBERNETES', '443');
  const caFile = join(serviceAccount, 'ca.crt');
  const hasCa = existsSync(caFile);
  const http: HttpRequest = {
    url: `${base ?? 'https://kubernetes.default.svc'}/readyz`,
    method: 'GET',
    // Who may not read it is told so: that is an answer too.
    expectStatus: [],
    headersFile: undefined,
    caFile: hasCa ? caFile : undefined,
    tlsName: undefined,
    ...(!hasCa && { takesAnyCertificate: true }),
  };
  const why = base === undefined ? 'KUBERNETES_SERVICE_HOST is not set' : undefined;
  return builtIn('api-server', { kind: 'http', http }, why);
}

function service({ environment }: PodSurroundings): Target {
  const base = baseUrl('http', environment, 'MESHPROBE', '4240');
  const http: HttpRequest = {
    url: `${base ?? 'http://meshprobe'}/hello`,
    method: 'GET',
    expectStatus: [200],
    headersFile: undefined,
    caFile: undefined,
    tlsName: undefined,
    asksNode: true,
  };
  const why =
    base === undefined
      ? 'MESHPROBE_SERVICE_HOST is not set: there was no Service named meshprobe when this pod started'
      : undefined;
  return builtIn('service', { kind: 'http', http }, why);
}

function builtIn(name: string, probe: TargetProbe, notProbedBecause?: string): Target {
  return {
    name,
    probe,
    from: planes,
    intervalMs: defaultIntervalMs,
    timeoutMs: defaultTimeoutMs,
    digest: digestOf(probe, defaultTimeoutMs),
    ...(notProbedBecause !== undefined && { notProbedBecause }),
  };
}

/** Where a Service is, from the variables that the kubelet sets; undefined where it set none. */
function baseUrl(
  scheme: string,
  environment: PodSurroundings['environment'],
  name: string,
  standardPort: string,
): string | undefined {
  const host = environment[`${name}_SERVICE_HOST`];
  const port = environment[`${name}_SERVICE_PORT`] ?? standardPort;
  if (host === undefined || host === '') return undefined;
  const url = `${scheme}://${hostAndPort(host, port)}`;
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

function attempt<T>(action: () => T): { readonly value: T } | { readonly error: string } {
  try {
    return { value: action() };
  } catch (error) {
    return { error: messageOf(error) };
  }
}
