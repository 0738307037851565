import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ip, runIn } from './command.js';
import { together, type Repair } from './faults.js';
import type { Lab } from './lab.js';
import { probePort, type Host } from './plan.js';

/** The address of the service over all endpoints. No host has it: each host translates it by itself. */
const serviceIp = '10.96.0.1';
const servicePrefix = '10.96.0.0/16';
const overlayPrefix = '10.244.0.0/16';
const dnsName = 'kubernetes.default.svc.cluster.local';

/** What the pods of the lab live on, as in a Kubernetes cluster. */
export interface ClusterServices {
  /** A targets file with the targets `service` and `cluster-dns`. */
  readonly targetsFile: string;
  readonly stop: () => Promise<void>;
}

/**
 * Gives a lab of IPv4 a service address that each host balances over all endpoints, as kube-proxy does,
 * and a DNS server beside the hosts that hosts and endpoints reach. It needs dnsmasq.
 */
export async function provideServices(lab: Lab): Promise<ClusterServices> {
  await Promise.all(lab.hosts.map((host) => translate(lab, host)));
  const server = await startDns(lab);
  const targetsFile = join(lab.folder, 'targets.yaml');
  await writeFile(
    targetsFile,
    [
      'targets:',
      '  - name: service',
      `    http: { url: "http://${serviceIp}:${probePort}/hello" }`,
      '  - name: cluster-dns',
      `    dns: { query: ${dnsName}, type: A, servers: [${lab.underlayIp}], expect: [${serviceIp}] }`,
      '',
    ].join('\n'),
  );
  return { targetsFile, stop: server.stop };
}

/** Drops what a host, and the endpoint on it, sends to the service address. */
export function breakService(host: Host): Promise<Repair> {
  return dropEarly(host, `ip daddr ${serviceIp} drop`, ['prerouting', 'output']);
}

/** Drops the DNS questions of endpoints on these hosts. The hosts themselves can still ask. */
export async function cutDnsOfPods(hosts: readonly Host[]): Promise<Repair> {
  return together(
    await Promise.all(hosts.map((host) => dropEarly(host, 'udp dport 53 drop', ['prerouting']))),
  );
}

/** Drops all DNS questions that a host and the endpoint on it ask. */
export function cutDnsOf(host: Host): Promise<Repair> {
  return dropEarly(host, 'udp dport 53 drop', ['prerouting', 'output']);
}

// What comes from an endpoint often goes back to another one by the same device. A redirect would tell the
// endpoint to leave the host out.
const forward = `
echo 1 >/proc/sys/net/ipv4/ip_forward
echo 0 >/proc/sys/net/ipv4/conf/all/send_redirects
echo 0 >/proc/sys/net/ipv4/conf/overlay/send_redirects
`;

/** The rule that sends connections to the service on to the endpoint of one of these hosts. */
function balance(hosts: readonly Host[]): string {
  const endpoints = hosts.map(({ endpointIp }, number) => `${number} : ${endpointIp}`).join(', ');
  return `ip daddr ${serviceIp} tcp dport ${probePort} dnat to numgen random mod ${hosts.length} map { ${endpoints} }`;
}

/** The routes and the address translation of one host. */
async function translate({ hosts }: Lab, host: Host): Promise<void> {
  await ip(host.namespace, [`route add ${servicePrefix} dev overlay`]);
  await ip(host.endpointNamespace, [`route add default via ${host.overlayIp}`]);
  // The device of an endpoint does not take back what came from it, so no endpoint is balanced to itself.
  const others = balance(hosts.filter((one) => one !== host));
  const rules = `
    table ip services {
      chain prerouting { type nat hook prerouting priority dstnat; ${others}; }
      chain output { type nat hook output priority -100; ${balance(hosts)}; }
      chain postrouting {
        type nat hook postrouting priority srcnat;
        ip saddr ${overlayPrefix} oifname "eth0" masquerade
        ct status dnat oifname "overlay" masquerade
      }
    }
  `;
  await runIn(host.namespace, ['sh', '-e'], forward);
  await runIn(host.namespace, ['nft', '-f', '-'], rules);
}

/** Starts a DNS server on the underlay's own address, and waits until it answers there. */
async function startDns({
  underlayNamespace,
  underlayIp,
}: Lab): Promise<Pick<ClusterServices, 'stop'>> {
  const flags = [
    '--keep-in-foreground',
    '--no-resolv',
    '--no-hosts',
    '--no-daemon',
    '--conf-file=/dev/null',
    `--listen-address=${underlayIp}`,
    '--bind-interfaces',
    `--address=/${dnsName}/${serviceIp}`,
  ];
  const child = spawn('ip', ['netns', 'exec', underlayNamespace, 'dnsmasq', ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exit = once(child, 'exit');
  const started = once(child.stderr, 'data').then(() => true);
  if (!(await Promise.race([started, exit.then(() => false)])))
    throw new Error(`dnsmasq ended with exit code ${child.exitCode}`);
  child.stderr.resume();
  return {
    async stop() {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

let tables = 0;

/** Drops packets before their address is translated. */
async function dropEarly(
  { namespace }: Host,
  rule: string,
  hooks: readonly ('prerouting' | 'output')[],
): Promise<Repair> {
  const table = `ip broken${++tables}`;
  const chains = hooks.map(
    (hook) => `chain ${hook} { type filter hook ${hook} priority raw; ${rule}; }`,
  );
  await runIn(namespace, ['nft', '-f', '-'], `table ${table} {\n${chains.join('\n')}\n}\n`);
  return async () => {
    await runIn(namespace, ['nft', 'delete', 'table', ...table.split(' ')]);
  };
}
