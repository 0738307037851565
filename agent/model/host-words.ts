import type { HostChange, HostSign, RowChange, RowSign } from './row-host.js';
import { withCommas } from './whole-number.js';

type Words = (about: string, value: string, limit: string) => string;

/** What each sign says, with its figures. */
const signWords: Readonly<Partial<Record<HostSign, Words>>> = {
  'conntrack-full': (_, value, limit) => `conntrack table nearly full (${value} of ${limit})`,
  'conntrack-drops': (_, value) => `conntrack dropped ${value} packets in the last minute`,
  'neighbours-full': (about, value, limit) =>
    `${about === 'ipv6' ? 'IPv6' : 'IPv4'} neighbour table has ${value} entries (limit ${limit})`,
  'softnet-drops': (_, value) =>
    `its processors dropped ${value} packets that had come in, in the last minute`,
  'carrier-flaps': (about, value) =>
    `the link of ${about} came or went ${value} times in the last minute`,
  'link-speed': (about, value, limit) =>
    `the link of ${about} has ${value} Mbit/s (it had ${limit})`,
  'listen-overflows': (_, value) =>
    `${value} TCP connections found the queue of their listener full in the last minute`,
  'tcp-retransmissions': (_, value) => `${value} TCP segments were sent again in the last minute`,
  'udp-buffer-drops': (_, value) =>
    `${value} UDP datagrams found the buffer of their socket full in the last minute`,
  'fragment-failures': (_, value) =>
    `${value} packets could not be cut into fragments in the last minute`,
  'icmp-limited': (_, value) =>
    `${value} ICMP messages were held back by the rate limit in the last minute`,
  'cpu-pressure': (_, value) => `work waited for a processor in ${value}% of the last minute`,
  'memory-pressure': (_, value) => `all work waited for memory in ${value}% of the last minute`,
  'cpu-throttled': (_, value) =>
    `the agent was kept from its processor by its limit ${value} times in the last minute`,
  'clock-offset': (about, value) =>
    `its clock is ${value} ms ${about === 'behind' ? 'behind' : 'ahead of'} those of its peers (median)`,
  'ports-exhausted': (about, value, limit) =>
    `${value} of ${limit} connects of its agent found no free port in the last minute${about === '' ? '' : ` (ports ${about})`}`,
  'interface-errors': (about, value) => `interface ${about}: ${value} errors in the last minute`,
  'interface-drops': (about, value) =>
    `interface ${about} dropped ${value} packets in the last minute`,
};

/** A sign in words, as they follow the name of its node. */
export function signText({
  sign,
  value,
  limit,
  about,
  plane,
}: Omit<RowSign, 'ageSeconds'>): string {
  const place = plane === 'endpoint' ? 'pod network: ' : '';
  const [shown, most] = [withCommas(value), withCommas(limit)];
  if (sign === 'conntrack-full' && value >= limit)
    return `${place}conntrack table full (${shown} of ${most})`;
  return place + (signWords[sign]?.(about, shown, most) ?? sign);
}

type ChangeWords = (change: Pick<RowChange, 'about' | 'from' | 'to'>) => string;

/** Of the container that a program runs in: without a value before it started, and without one after it stopped. */
const podWords: ChangeWords = ({ about, from, to }) => {
  if (to === '') return `${about} stopped (${from})`;
  if (from === '') return `${about} started (${to})`;
  if (to.startsWith(`${from}, restart `)) return `${about} restarted (${to})`;
  if (from === to) return `the pod of ${about} was replaced (${to})`;
  return `${about} was replaced (${from} to ${to})`;
};

const changeWords: Readonly<Record<HostChange, ChangeWords>> = {
  rebooted: () => 'the host started',
  'agent-restarted': ({ to }) => `the agent started${to === '' ? '' : ` (version ${to})`}`,
  address: ({ about, from, to }) =>
    `addresses of ${about} changed from ${orNone(from)} to ${orNone(to)}`,
  'interface-mtu': ({ about, from, to }) => `interface ${about} went from MTU ${from} to ${to}`,
  'interface-down': ({ about, from, to }) => `interface ${about} went from ${from} to ${to}`,
  route: ({ about, from, to }) => `${about} changed from ${orNone(from)} to ${orNone(to)}`,
  sysctl: ({ about, from, to }) => `${about} changed from ${orNone(from)} to ${orNone(to)}`,
  kernel: ({ from, to }) => `the kernel went from ${orNone(from)} to ${orNone(to)}`,
  'agent-version': ({ from, to }) => `the agent was replaced (${orNone(from)} to ${orNone(to)})`,
  'node-version': ({ about, from, to }) => `${about} went from ${orNone(from)} to ${orNone(to)}`,
  labels: ({ about, from, to }) => `label ${about} went from ${orNone(from)} to ${orNone(to)}`,
  taints: ({ from, to }) =>
    to === '' ? `the taint ${from} was removed` : `the node was tainted ${to}`,
  cordoned: ({ to }) => `the node was ${to === 'yes' ? 'cordoned' : 'uncordoned'}`,
  'cni-pod': podWords,
  'kube-proxy-pod': podWords,
  nameservers: ({ from, to }) => `nameservers changed from ${orNone(from)} to ${orNone(to)}`,
};

/** A change in words, as they follow the name of its node. */
export function changeText(change: Pick<RowChange, 'change' | 'about' | 'from' | 'to'>): string {
  return changeWords[change.change](change);
}

function orNone(value: string): string {
  return value === '' ? 'none' : value;
}
