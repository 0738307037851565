import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ip, runIn } from './command.js';
import type { Lab } from './lab.js';
import { vxlanPort } from './network.js';
import type { Host } from './plan.js';

/** Undoes a fault. */
export type Repair = () => Promise<void>;

/** Unplugs a host from the underlay, so that it neither receives nor sends anything. */
export async function cutOff({ underlayNamespace }: Lab, host: Host): Promise<Repair> {
  await ip(underlayNamespace, [`link set ${host.name} down`]);
  return () => ip(underlayNamespace, [`link set ${host.name} up`]);
}

/**
 * Drops a host's VXLAN packets in both directions, as a firewall without a rule for VXLAN does.
 */
export function cutOverlay(_lab: Lab, host: Host): Promise<Repair> {
  const rule = `udp dport ${vxlanPort} drop`;
  return filter(host.namespace, { input: rule, output: rule });
}

/** Drops packets to a TCP port of a host's node IP. */
export function dropPort(_lab: Lab, host: Host, port: number): Promise<Repair> {
  return filter(host.namespace, { input: `iifname "eth0" tcp dport ${port} drop` });
}

/** Drops echo requests and replies to a host's node IP, but no other ICMP. */
export function dropEcho({ family }: Lab, host: Host): Promise<Repair> {
  const icmp = family === 4 ? 'icmp' : 'icmpv6';
  return filter(host.namespace, {
    input: `iifname "eth0" ${icmp} type { echo-request, echo-reply } drop`,
  });
}

/** Rejects echo requests to a host's node IP with an ICMP error. */
export function rejectEcho({ family }: Lab, host: Host): Promise<Repair> {
  const icmp = family === 4 ? 'icmp' : 'icmpv6';
  return filter(host.namespace, {
    input: `iifname "eth0" ${icmp} type echo-request reject with ${icmp} type admin-prohibited`,
  });
}

/**
 * Drops every underlay packet from one host to another. This includes the packets of the overlay.
 */
export function dropFrom(lab: Lab, source: Host, target: Host): Promise<Repair> {
  return filter(target.namespace, { input: `${from(lab, source)} drop` });
}

/** Drops every underlay packet from these hosts to another, by one rule. */
export function dropFromAll(lab: Lab, sources: readonly Host[], target: Host): Promise<Repair> {
  return filter(target.namespace, { input: `${fromAll(lab, sources)} drop` });
}

/**
 * Drops the VXLAN packets of these hosts at another one, by one rule: their overlays are apart, and their node IPs are not.
 */
export function dropOverlayFromAll(
  lab: Lab,
  sources: readonly Host[],
  target: Host,
): Promise<Repair> {
  return filter(target.namespace, {
    input: `${fromAll(lab, sources)} udp dport ${vxlanPort} drop`,
  });
}

/** Drops echo requests and new GETs of these hosts to another one and its endpoint. What it asks them is answered. */
export async function dropRequestsFromAll(
  { family }: Lab,
  sources: readonly Host[],
  target: Host,
  port: number,
): Promise<Repair> {
  const [ip, icmp] = family === 4 ? ['ip', 'icmp'] : ['ip6', 'icmpv6'];
  const drop = (addresses: readonly string[]) => {
    const sent = `${ip} saddr { ${addresses.join(', ')} }`;
    return { input: `${sent} ${icmp} type echo-request drop; ${sent} tcp dport ${port} drop` };
  };
  return together([
    await filter(target.namespace, drop(sources.map(({ nodeIp }) => nodeIp))),
    await filter(target.endpointNamespace, drop(sources.map(({ overlayIp }) => overlayIp))),
  ]);
}

/** Drops every packet that a host sends to the underlay. It still receives. */
export function dropSent(_lab: Lab, host: Host): Promise<Repair> {
  return filter(host.namespace, { output: 'oifname "eth0" drop' });
}

/** Drops this percentage of the underlay packets from one host to another, at random. */
export function loseFrom(lab: Lab, source: Host, target: Host, percent: number): Promise<Repair> {
  return filter(target.namespace, {
    input: `${from(lab, source)} numgen random mod 100 < ${percent} drop`,
  });
}

/** Drops half of one host's connection attempts to a TCP port of another, at random. */
export function loseSyn(lab: Lab, source: Host, target: Host, port: number): Promise<Repair> {
  return filter(target.namespace, {
    input: `${from(lab, source)} tcp dport ${port} tcp flags syn numgen random mod 2 < 1 drop`,
  });
}

/**
 * Drops echo requests and new GETs to a host and its endpoint. The host's own probes still work.
 */
export function dropRequests({ family }: Lab, host: Host, port: number): Promise<Repair> {
  const icmp = family === 4 ? 'icmp' : 'icmpv6';
  const rules = [
    `iifname != "lo" ${icmp} type echo-request drop`,
    `iifname != "lo" tcp dport ${port} drop`,
  ];
  return filterBoth(host, { input: rules.join('; ') });
}

/**
 * Drops TCP and ICMP to and from a host's node IP. The overlay still works, because it uses UDP.
 */
export function cutNodeIp({ family }: Lab, host: Host): Promise<Repair> {
  const icmp = family === 4 ? 'icmp' : 'icmpv6';
  return filter(host.namespace, { input: `iifname "eth0" meta l4proto { tcp, ${icmp} } drop` });
}

/** Drops all echo requests and replies to a host and its endpoint. */
export function dropAllEchoes({ family }: Lab, host: Host): Promise<Repair> {
  const icmp = family === 4 ? 'icmp' : 'icmpv6';
  return filterBoth(host, {
    input: `iifname != "lo" ${icmp} type { echo-request, echo-reply } drop`,
  });
}

/** Drops packets to a TCP port of a host and its endpoint. */
export function dropPortEverywhere(_lab: Lab, host: Host, port: number): Promise<Repair> {
  return filterBoth(host, { input: `iifname != "lo" tcp dport ${port} drop` });
}

/** Makes a host refuse to route packets to another host, as a wrong route does (IPv4). */
export async function refuseRoute(_lab: Lab, source: Host, target: Host): Promise<Repair> {
  await ip(source.namespace, [`route add unreachable ${target.nodeIp}/32`]);
  return () => ip(source.namespace, [`route del unreachable ${target.nodeIp}/32`]);
}

/** Drops this percentage of all packets that a host receives from the underlay, at random. */
export function loseAll(_lab: Lab, host: Host, percent: number): Promise<Repair> {
  return filter(host.namespace, {
    input: `iifname "eth0" numgen random mod 100 < ${percent} drop`,
  });
}

/** Drops every underlay packet above this size that a host receives, and says so to nobody. */
export function dropLarge(_lab: Lab, host: Host, bytes: number): Promise<Repair> {
  return filter(host.namespace, { input: `iifname "eth0" meta length > ${bytes} drop` });
}

const fillQueueProgram = join(import.meta.dirname, '../programs/fill-queue.js');
const discardPort = 9;

/**
 * Delays all packets that a host sends by this time (IPv4). Its link becomes slow and keeps a
 * queue, so no packet is lost.
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

/** Joins several repairs into one. They are made at once. */
export function together(repairs: readonly Repair[]): Repair {
  return async () => {
    await Promise.all(repairs.map((repair) => repair()));
  };
}

/** Duplicates the echo replies from one host to another (IPv4). */
export function doubleReplies(_lab: Lab, source: Host, target: Host): Promise<Repair> {
  const replies = `ip daddr ${target.nodeIp} icmp type echo-reply`;
  return filter(
    source.namespace,
    { postrouting: `${replies} dup to ${target.nodeIp} device "eth0"` },
    'ip',
  );
}

/**
 * Holds back all packets from one host to another until the repair, and then delivers them (IPv4).
 * It drops ARP replies, so the kernel queues the packets until it learns the other host's MAC
 * address.
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

function fromAll({ family }: Lab, sources: readonly Host[]): string {
  const addresses = sources.map(({ nodeIp }) => nodeIp).join(', ');
  return `iifname "eth0" ${family === 4 ? 'ip' : 'ip6'} saddr { ${addresses} }`;
}

/** Adds the same table on a host and in the namespace of its endpoint. */
async function filterBoth(
  { namespace, endpointNamespace }: Host,
  rules: Parameters<typeof filter>[1],
): Promise<Repair> {
  return together([await filter(namespace, rules), await filter(endpointNamespace, rules)]);
}

let filters = 0;

/** Each fault has a table of its own, so faults and repairs cannot disturb each other. */
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
