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

function from({ family }: Lab, source: Host): string {
  return `iifname "eth0" ${family === 4 ? 'ip' : 'ip6'} saddr ${source.nodeIp}`;
}

let filters = 0;

/** Each fault is a table of its own, so that faults and repairs do not touch each other. */
async function filter(
  namespace: string,
  rules: Readonly<Partial<Record<'input' | 'output', string>>>,
): Promise<Repair> {
  const table = `inet fault${++filters}`;
  const chains = Object.entries(rules).map(
    ([hook, rule]) => `chain ${hook} { type filter hook ${hook} priority 0; ${rule}; }`,
  );
  await runIn(namespace, ['nft', '-f', '-'], `table ${table} {\n${chains.join('\n')}\n}\n`);
  return async () => {
    await runIn(namespace, ['nft', 'delete', 'table', ...table.split(' ')]);
  };
}
