import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ip, runIn } from './command.js';
import type { Lab } from './lab.js';
import { vxlanPort } from './network.js';
import type { Host } from './plan.js';

/** Undoes a fault. */
export type Repair = () => Promise<void>;

/** Unplugs a host from the underlay: nothing gets to it or from it. */
export async function cutOff({ underlayNamespace }: Lab, host: Host): Promise<Repair> {
  await ip(underlayNamespace, [`link set ${host.name} down`]);
  return () => ip(underlayNamespace, [`link set ${host.name} up`]);
}

/** Drops a host's encapsulated packets, in and out, as a firewall that forgot VXLAN does. */
export function cutOverlay(_lab: Lab, host: Host): Promise<Repair> {
  const rule = `udp dport ${vxlanPort} drop`;
  return filter(host.namespace, { input: rule, output: rule });
}

/** Drops what comes to a TCP port of a host's node IP. */
export function dropPort(_lab: Lab, host: Host, port: number): Promise<Repair> {
  return filter(host.namespace, { input: `iifname "eth0" tcp dport ${port} drop` });
}

/** Drops the echo requests and replies that come to a host's node IP, and no other ICMP. */
export function dropEcho({ family }: Lab, host: Host): Promise<Repair> {
  const icmp = family === 4 ? 'icmp' : 'icmpv6';
  return filter(host.namespace, {
    input: `iifname "eth0" ${icmp} type { echo-request, echo-reply } drop`,
  });
}

/** Refuses echo requests that come to a host's node IP, with an ICMP error that says so. */
export function rejectEcho({ family }: Lab, host: Host): Promise<Repair> {
  const icmp = family === 4 ? 'icmp' : 'icmpv6';
  return filter(host.namespace, {
    input: `iifname "eth0" ${icmp} type echo-request reject with ${icmp} type admin-prohibited`,
  });
}

/** Drops every packet of one host to another on the underlay, the overlay's with them. */
export function dropFrom(lab: Lab, source: Host, target: Host): Promise<Repair> {
  return filter(target.namespace, { input: `${from(lab, source)} drop` });
}

/** Drops so many percent of the packets of one host to another on the underlay, at random. */
export function loseFrom(lab: Lab, source: Host, target: Host, percent: number): Promise<Repair> {
  return filter(target.namespace, {
    input: `${from(lab, source)} numgen random mod 100 < ${percent} drop`,
  });
}

/** Drops every other connection attempt of one host to a TCP port of another, at random. */
export function loseSyn(lab: Lab, source: Host, target: Host, port: number): Promise<Repair> {
  return filter(target.namespace, {
    input: `${from(lab, source)} tcp dport ${port} tcp flags syn numgen random mod 2 < 1 drop`,
  });
}

/** Drops echo requests and new GETs that come to a host and to its endpoint: what it sends itself works. */
export function dropRequests({ family }: Lab, host: Host, port: number): Promise<Repair> {
  const icmp = family === 4 ? 'icmp' : 'icmpv6';
  const rules = [
    `iifname != "lo" ${icmp} type echo-request drop`,
    `iifname != "lo" tcp dport ${port} drop`,
  ];
  return filterBoth(host, { input: rules.join('; ') });
}

/** Drops TCP and ICMP to and from a host's node IP. The overlay, which is UDP, goes on. */
export function cutNodeIp({ family }: Lab, host: Host): Promise<Repair> {
  const icmp = family === 4 ? 'icmp' : 'icmpv6';
  return filter(host.namespace, { input: `iifname "eth0" meta l4proto { tcp, ${icmp} } drop` });
}

/** Drops all echo requests and replies that come to a host and to its endpoint. */
export function dropAllEchoes({ family }: Lab, host: Host): Promise<Repair> {
  const icmp = family === 4 ? 'icmp' : 'icmpv6';
  return filterBoth(host, {
    input: `iifname != "lo" ${icmp} type { echo-request, echo-reply } drop`,
  });
}

/** Drops what comes to a TCP port of a host and of its endpoint. */
export function dropPortEverywhere(_lab: Lab, host: Host, port: number): Promise<Repair> {
  return filterBoth(host, { input: `iifname != "lo" tcp dport ${port} drop` });
}

/** Has a host refuse to route anything to another, as a wrong route does (IPv4). */
export async function refuseRoute(_lab: Lab, source: Host, target: Host): Promise<Repair> {
  await ip(source.namespace, [`route add unreachable ${target.nodeIp}/32`]);
  return () => ip(source.namespace, [`route del unreachable ${target.nodeIp}/32`]);
}

/** Drops so many percent of all packets that come to a host from the underlay, at random. */
export function loseAll(_lab: Lab, host: Host, percent: number): Promise<Repair> {
  return filter(host.namespace, {
    input: `iifname "eth0" numgen random mod 100 < ${percent} drop`,
  });
}

const fillQueueProgram = join(import.meta.dirname, '../programs/fill-queue.js');
const discardPort = 9;

/**
 * Makes the link of a host slow and keeps a queue on it, so that what the host sends waits for so long
 * and nothing is lost (IPv4).
 */
export async function delayFrom({ underlayIp }: Lab, host: Host, delayMs: number): Promise<Repair> {
  const bytesPerSecond = 500_000;
  const qdisc = `rate ${bytesPerSecond}bps burst 3000 limit 1000000`;
  await runIn(host.namespace, [
    'tc',
    'qdisc',
    'add',
    'dev',
    'eth0',
    'root',
    'tbf',
    ...qdisc.split(' '),
  ]);
  const bytes = String(Math.round((bytesPerSecond * delayMs) / 1000));
  const child = spawn(
    'ip',
    [
      'netns',
      'exec',
      host.namespace,
      process.execPath,
      fillQueueProgram,
      underlayIp,
      String(discardPort),
      bytes,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const exit = once(child, 'exit');
  const begun = await Promise.race([once(child.stdout, 'data'), exit.then(() => undefined)]);
  if (!begun) throw new Error(`fill-queue.js ended with exit code ${child.exitCode}`);
  return async () => {
    child.stdin.end();
    await exit;
    await runIn(host.namespace, ['tc', 'qdisc', 'del', 'dev', 'eth0', 'root']);
  };
}

/** Repairs all of them. */
export function together(repairs: readonly Repair[]): Repair {
  return async () => {
    for (const repair of repairs) await repair();
  };
}

/** Doubles the echo replies of one host to another (IPv4). */
export function doubleReplies(_lab: Lab, source: Host, target: Host): Promise<Repair> {
  const replies = `ip daddr ${target.nodeIp} icmp type echo-reply`;
  return filter(
    source.namespace,
    { postrouting: `${replies} dup to ${target.nodeIp} device "eth0"` },
    'ip',
  );
}

/**
 * Has everything that one host sends to another wait until the repair, and then go, nothing lost:
 * the host may not learn where on the underlay the other is (IPv4).
 */
export async function hold(_lab: Lab, source: Host, target: Host): Promise<Repair> {
  const asking = '/proc/sys/net/ipv4/neigh/eth0';
  const settings = { retrans_time_ms: 50, mcast_solicit: 200, unres_qlen_bytes: 8 * 1024 * 1024 };
  const set = Object.entries(settings).map(([name, value]) => `echo ${value} >${asking}/${name}\n`);
  await runIn(source.namespace, ['sh', '-e'], set.join(''));
  const release = await filter(source.namespace, { input: 'drop' }, 'arp');
  await ip(source.namespace, [`neigh del ${target.nodeIp} dev eth0`]);
  return release;
}

function from({ family }: Lab, source: Host): string {
  return `iifname "eth0" ${family === 4 ? 'ip' : 'ip6'} saddr ${source.nodeIp}`;
}

/** The same table on a host and in the namespace of its endpoint. */
async function filterBoth(
  { namespace, endpointNamespace }: Host,
  rules: Parameters<typeof filter>[1],
): Promise<Repair> {
  return together([await filter(namespace, rules), await filter(endpointNamespace, rules)]);
}

let filters = 0;

/** Each fault is a table of its own, so that faults and repairs do not touch each other. */
async function filter(
  namespace: string,
  rules: Readonly<Partial<Record<'input' | 'output' | 'postrouting', string>>>,
  family: 'inet' | 'ip' | 'arp' = 'inet',
): Promise<Repair> {
  const table = `${family} fault${++filters}`;
  const chains = Object.entries(rules).map(
    ([hook, rule]) => `chain ${hook} { type filter hook ${hook} priority 0; ${rule}; }`,
  );
  await runIn(namespace, ['nft', '-f', '-'], `table ${table} {\n${chains.join('\n')}\n}\n`);
  return async () => {
    await runIn(namespace, ['nft', 'delete', 'table', ...table.split(' ')]);
  };
}
