import { setTimeout as delay } from 'node:timers/promises';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostChange } from '../../../api/schema/v1/host-changes.js';
import type { HostSign } from '../../../api/schema/v1/host-signs.js';
import { ip, runIn } from './command.js';
import { largeDropped, type LabFault } from './fault-kinds.js';
import type { Repair } from './faults.js';
import type { Expected } from './findings.js';
import { nameserversFile } from './host-files.js';
import type { Lab } from './lab.js';
import { otherVersion, otherVersionOf } from './other-version.js';
import type { Host } from './plan.js';
import type { Mesh } from './start-mesh.js';

/** What all agents are to tell of a host: a sign or a change, in these words. */
export interface Told {
  readonly name: HostSign | HostChange;
  readonly words: RegExp;
  /** Only the others know it: an agent that was replaced does not know what it was. */
  readonly byOthers?: true;
}

/** Something that happens on one host. It is no failure of paths, but a sign of its own or a change. */
export interface HostEvent {
  readonly what: string;
  readonly node: string;
  readonly tells: readonly Told[];
  /** What may be told of that host too while it happens, or after its repair. */
  readonly mayTell?: readonly (HostSign | HostChange)[];
  /** The finding that it is by itself, where no other one is about that host. */
  readonly alone?: Expected;
  /** The fault of paths that comes after it. */
  readonly fault?: LabFault;
  make(mesh: Mesh): Promise<Repair>;
}

/** What may happen on a host, by its name. */
export type HostEventKind = (name: string) => HostEvent;

/** The interface that carries the address of the node gets one more. */
const addressAdded: HostEventKind = (name) =>
  command(name, 'has an address more', {
    tells: [
      {
        name: 'address',
        words: /^addresses of eth0 changed from \S+ to 192\.0\.2\.77\/32, 198\.51\.100\.\d+\/24$/,
      },
    ],
    make: 'ip address add 192.0.2.77/32 dev eth0',
    repair: 'ip address del 192.0.2.77/32 dev eth0',
  });

const sysctlChanged: HostEventKind = (name) =>
  command(name, 'checks reverse paths', {
    tells: [{ name: 'sysctl', words: /^net\.ipv4\.conf\.all\.rp_filter changed from 0 to 2$/ }],
    make: 'echo 2 > /proc/sys/net/ipv4/conf/all/rp_filter',
    repair: 'echo 0 > /proc/sys/net/ipv4/conf/all/rp_filter',
  });

const routeAdded: HostEventKind = (name) =>
  command(name, 'has a default route', {
    tells: [
      { name: 'route', words: /^default-route changed from none to 198\.51\.100\.254 by eth0$/ },
    ],
    make: 'ip route add default via 198.51.100.254',
    repair: 'ip route del default',
  });

/** Only an agent that was started with a file of nameservers of its own sees it. */
const nameserversChanged: HostEventKind = (name) => ({
  what: `${name} has other nameservers`,
  node: name,
  tells: [
    { name: 'nameservers', words: /^nameservers changed from 192\.0\.2\.53 to 192\.0\.2\.54$/ },
  ],
  async make({ lab }) {
    const file = nameserversFile(lab.host(name));
    await writeFile(file, 'nameserver 192.0.2.54\n');
    return () => writeFile(file, 'nameserver 192.0.2.53\n');
  },
});

/** The nodes file of all agents says another label of the node. */
const labelled: HostEventKind = (name) => ({
  what: `${name} is in another rack`,
  node: name,
  tells: [{ name: 'labels', words: /^label rack went from r\d to r9$/ }],
  async make({ lab }) {
    const file = join(lab.folder, 'nodes.yaml');
    const text = await readFile(file, 'utf8');
    const rack = JSON.stringify(lab.host(name).labels?.['rack']);
    const [before = '', after = ''] = text.split(`name: lab/${name}\n`);
    await writeFile(file, `${before}name: lab/${name}\n${after.replace(rack, '"r9"')}`);
    return () => writeFile(file, text);
  },
});

const agentStarted: Told = {
  name: 'agent-restarted',
  words: /^the agent started \(version \S+\)$/,
};

const agentRestarted: HostEventKind = (name) => ({
  what: `the agent of ${name} is started again`,
  node: name,
  tells: [agentStarted],
  async make({ lab, agents }) {
    await agents.restart(lab.host(name));
    return () => Promise.resolve();
  },
});

const agentReplaced: HostEventKind = (name) => ({
  what: `the agent of ${name} is replaced by another version`,
  node: name,
  tells: [
    {
      name: 'agent-version',
      words: new RegExp(String.raw`^the agent was replaced \(\S+ to ${otherVersion}\)$`),
      byOthers: true,
    },
    agentStarted,
  ],
  async make({ lab, agents }) {
    await agents.restart(lab.host(name), {}, await otherVersionOf(lab.folder));
    return () => agents.restart(lab.host(name));
  },
});

const datagramsDropped: HostEventKind = (name) =>
  repeated(name, 'does not read its datagrams', {
    tells: [
      {
        name: 'udp-buffer-drops',
        words: /^[\d,]+ UDP datagrams found the buffer of their socket full in the last minute$/,
      },
    ],
    once: (_, host) => program(host.namespace, 'overflow.js', 'udp'),
  });

const connectionsNotAccepted: HostEventKind = (name) =>
  repeated(name, 'does not accept its connections', {
    tells: [
      {
        name: 'listen-overflows',
        words: /^[\d,]+ TCP connections found the queue of their listener full in the last minute$/,
      },
    ],
    // Those that nobody accepts are tried again and again.
    mayTell: ['tcp-retransmissions'],
    once: (_, host) => program(host.namespace, 'overflow.js', 'tcp'),
  });

const framesDropped: HostEventKind = (name) =>
  repeated(name, 'gets frames of a protocol that nobody speaks', {
    tells: [
      {
        name: 'interface-drops',
        words: /^interface eth0 dropped [\d,]+ packets in the last minute$/,
      },
    ],
    once: ({ underlayNamespace }) => program(underlayNamespace, 'send-frames.js', name, '500'),
  });

const icmpLimited: HostEventKind = (name) =>
  repeated(name, 'gets datagrams for which nobody listens', {
    tells: [
      {
        name: 'icmp-limited',
        words: /^[\d,]+ ICMP messages were held back by the rate limit in the last minute$/,
      },
    ],
    once: ({ underlayNamespace }, { nodeIp }) =>
      program(underlayNamespace, 'open-flows.js', nodeIp, '400'),
  });

const linkFlaps: HostEventKind = (name) =>
  repeated(name, 'has a link that comes and goes', {
    tells: [
      {
        name: 'carrier-flaps',
        words: /^the link of eth0 came or went \d+ times in the last minute$/,
      },
    ],
    mayTell: ['interface-down', 'interface-drops'],
    alone: { kind: 'host-sign', node: name, sign: 'carrier-flaps' },
    once: ({ underlayNamespace }) =>
      ip(
        underlayNamespace,
        Array.from({ length: 4 }, () => [`link set ${name} down`, `link set ${name} up`]).flat(),
      ),
  });

const connectionsFull: HostEventKind = (name) => ({
  what: `the table of connections of ${name} is full`,
  node: name,
  tells: [
    { name: 'conntrack-full', words: /^conntrack table (nearly )?full \([\d,]+ of [\d,]+\)$/ },
  ],
  mayTell: ['conntrack-drops'],
  alone: { kind: 'host-sign', node: name, sign: 'conntrack-full' },
  async make({ lab }) {
    const { namespace } = lab.host(name);
    await shell(
      namespace,
      `ip link add sink type veth peer name drain
       ip link set sink arp off up
       ip link set drain up
       ip route add 10.99.0.0/16 dev sink
       echo 300 > /proc/sys/net/netfilter/nf_conntrack_udp_timeout
       nft 'add table inet tracked; add chain inet tracked out { type filter hook output priority 0; }; add rule inet tracked out ct state new accept'`,
    );
    const most = Number(await shell(namespace, 'cat /proc/sys/net/netfilter/nf_conntrack_max'));
    await program(namespace, 'open-flows.js', '10.99.0.1', `${most + 10_000}`);
    return async () => {
      await shell(
        namespace,
        `nft delete table inet tracked
         ip link del sink
         conntrack -F`,
      );
    };
  },
});

/** A host whose interface says less than its link lets through: packets that are still too large vanish. */
const mtuLowered: HostEventKind = (name) => ({
  ...command(name, 'has an interface with a smaller MTU', {
    tells: [{ name: 'interface-mtu', words: /^interface eth0 went from MTU 1500 to 1400$/ }],
    make: 'ip link set eth0 mtu 1400',
    repair: 'ip link set eth0 mtu 1500',
  }),
  // What is larger cannot be sent, nor received.
  mayTell: ['fragment-failures', 'interface-drops'],
  fault: largeDropped(name),
});

/** All that may happen on a host. A round takes the one whose turn it is by its seed. */
export const hostEventKinds: readonly HostEventKind[] = [
  addressAdded,
  datagramsDropped,
  agentRestarted,
  linkFlaps,
  routeAdded,
  icmpLimited,
  mtuLowered,
  labelled,
  framesDropped,
  agentReplaced,
  connectionsFull,
  sysctlChanged,
  connectionsNotAccepted,
  nameserversChanged,
];

function shell(namespace: string, script: string): Promise<string> {
  return runIn(namespace, ['sh', '-ec', script]);
}

function program(namespace: string, name: string, ...args: readonly string[]): Promise<string> {
  const file = join(import.meta.dirname, '../programs', name);
  return runIn(namespace, [process.execPath, file, ...args]);
}

/** Something that one command makes, and another one repairs. */
function command(
  name: string,
  does: string,
  { tells, make, repair }: Pick<HostEvent, 'tells'> & Record<'make' | 'repair', string>,
): HostEvent {
  return {
    what: `${name} ${does}`,
    node: name,
    tells,
    async make({ lab }) {
      const { namespace } = lab.host(name);
      await shell(namespace, make);
      return async () => {
        await shell(namespace, repair);
      };
    },
  };
}

/** A counter is a sign for a minute, so it has to grow again and again. */
const againMs = 15_000;

/** Something that happens again and again until it is repaired. */
function repeated(
  name: string,
  does: string,
  {
    once,
    ...event
  }: Pick<HostEvent, 'tells' | 'mayTell' | 'alone'> & {
    readonly once: (lab: Lab, host: Host) => Promise<unknown>;
  },
): HostEvent {
  return {
    ...event,
    what: `${name} ${does}`,
    node: name,
    async make({ lab }) {
      const host = lab.host(name);
      await shell(host.namespace, 'ip link set lo up');
      await once(lab, host);
      const end = new AbortController();
      const running = (async () => {
        while (await isAgain(end.signal)) await once(lab, host);
      })();
      return async () => {
        end.abort();
        await running;
      };
    },
  };
}

/** Waits for the next time; false where it is ended. */
function isAgain(signal: AbortSignal): Promise<boolean> {
  return delay(againMs, true, { signal }).catch(() => false);
}
