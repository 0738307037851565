import * as faults from './faults.js';
import type { Repair } from './faults.js';
import type { Expected } from './findings.js';
import type { Lab } from './lab.js';
import type { Mesh } from './start-mesh.js';
import { probePort, type Host } from './plan.js';

/** A fault that can be made in a mesh, and the finding that each agent is expected to have. */
export interface LabFault {
  /** The fault in words, such as `n2 is unplugged`. */
  readonly what: string;
  make(mesh: Mesh): Promise<Repair>;
  readonly expected: Expected;
  /** The finding that this host is expected to have instead. */
  readonly insteadOn?: (host: Host) => Expected | undefined;
  /** The host whose agent cannot be asked. */
  readonly mute?: string;
  /** The host whose agent gets no row of another one, so that it knows little of other faults. */
  readonly blind?: string;
}

/** The host neither receives nor sends anything. */
export function unplugged(name: string): LabFault {
  return {
    what: `${name} is unplugged`,
    make: ({ lab }) => faults.cutOff(lab, lab.host(name)),
    expected: { kind: 'node-down', node: name },
    insteadOn: isolated(name),
    blind: name,
  };
}

/** Nothing that the host sends arrives anywhere. It still receives. */
export function sendingDropped(name: string): LabFault {
  return {
    what: `${name} cannot send`,
    make: ({ lab }) => faults.dropSent(lab, lab.host(name)),
    expected: { kind: 'node-down', node: name },
    insteadOn: isolated(name),
    blind: name,
  };
}

/** A host that is cut off says that of itself. */
function isolated(name: string): NonNullable<LabFault['insteadOn']> {
  return (host) =>
    host.name === name ? { kind: 'node-isolated', node: name, local: true } : undefined;
}

/** The host drops all requests, but its own requests work. */
export function requestsDropped(name: string): LabFault {
  return {
    what: `${name} drops all requests`,
    make: ({ lab }) => faults.dropRequests(lab, lab.host(name), probePort),
    expected: { kind: 'node-isolated', node: name, direction: 'inbound' },
  };
}

/** The agent of the host is stopped by SIGSTOP. */
export function agentFrozen(name: string): LabFault {
  return {
    what: `the agent of ${name} is frozen`,
    make({ lab, agents }) {
      agents.pause(lab.host(name));
      return undoing(() => agents.resume(lab.host(name)));
    },
    expected: { kind: 'agent-down', node: name, plane: 'host' },
    mute: name,
  };
}

/** The responder of the host's endpoint is stopped by SIGSTOP. */
export function endpointFrozen(name: string): LabFault {
  return {
    what: `the endpoint of ${name} is frozen`,
    make({ lab, agents }) {
      agents.pauseResponder(lab.host(name));
      return undoing(() => agents.resumeResponder(lab.host(name)));
    },
    expected: { kind: 'endpoint-down', node: name, plane: 'endpoint' },
  };
}

/** The node IP of the host is filtered, and its overlay works. */
export function nodeIpCut(name: string): LabFault {
  return {
    what: `the node IP of ${name} is filtered`,
    make: ({ lab }) => faults.cutNodeIp(lab, lab.host(name)),
    expected: { kind: 'host-plane', node: name, plane: 'host' },
    blind: name,
  };
}

/** The overlay of the host is cut both ways, and its node IP works. */
export function overlayCut(name: string): LabFault {
  return {
    what: `the overlay of ${name} is cut`,
    make: ({ lab }) => faults.cutOverlay(lab, lab.host(name)),
    expected: { kind: 'endpoint-plane', node: name, plane: 'endpoint', direction: 'both' },
  };
}

/** The host and its endpoint drop echoes. */
export function echoesDropped(name: string): LabFault {
  return {
    what: `${name} drops echoes`,
    make: ({ lab }) => faults.dropAllEchoes(lab, lab.host(name)),
    expected: { kind: 'icmp-filtered', node: name },
  };
}

/** All hosts and their endpoints drop echoes. */
export const allEchoesDropped: LabFault = {
  what: 'all hosts drop echoes',
  make: ({ lab }) => onAll(lab, (host) => faults.dropAllEchoes(lab, host)),
  expected: { kind: 'icmp-filtered' },
};

/** The host and its endpoint drop what comes to the probe port. */
export function probePortDropped(name: string): LabFault {
  return {
    what: `${name} drops the probe port`,
    make: ({ lab }) => faults.dropPortEverywhere(lab, lab.host(name), probePort),
    expected: { kind: 'http-filtered', node: name },
  };
}

/** All hosts drop the probe port. No row travels, so each host tells only what it sees itself. */
export const allProbePortsDropped: LabFault = {
  what: 'all hosts drop the probe port',
  make: ({ lab }) => onAll(lab, (host) => faults.dropPortEverywhere(lab, host, probePort)),
  expected: { kind: 'http-filtered' },
};

/** No packet passes between the hosts of these two zones. */
export function zonesCut(zone: string, other: string): LabFault {
  return {
    what: `${zone} and ${other} are cut from each other`,
    make: ({ lab }) => cutBetween(lab, zone, (far) => far === other),
    expected: { kind: 'zones', zones: [zone, other].sort() },
  };
}

/** No packet passes between this zone and all others. */
export function zoneCutOff(zone: string): LabFault {
  return {
    what: `${zone} is cut from all other zones`,
    make: ({ lab }) => cutBetween(lab, zone, (far) => far !== zone),
    expected: { kind: 'zones', zones: [zone] },
  };
}

/** The second host drops the packets of the first one. */
export function packetsDropped(from: string, to: string): LabFault {
  return {
    what: `${to} drops the packets of ${from}`,
    make: ({ lab }) => faults.dropFrom(lab, lab.host(from), lab.host(to)),
    expected: { kind: 'pair', pair: [from, to] },
  };
}

/** The first host has no route to the second one. */
export function routeRefused(from: string, to: string): LabFault {
  return {
    what: `${from} has no route to ${to}`,
    make: ({ lab }) => faults.refuseRoute(lab, lab.host(from), lab.host(to)),
    expected: { kind: 'pair', pair: [from, to] },
  };
}

/** The agent of the host runs without exchange, so nobody gets its row. */
export function rowMissing(name: string): LabFault {
  return {
    what: `the agent of ${name} sends no row`,
    async make({ lab, agents }) {
      const host = lab.host(name);
      await agents.restart(host, { mesh: 'off' });
      return () => agents.restart(host);
    },
    expected: { kind: 'observers-missing', node: name },
    mute: name,
  };
}

/** All packets that the host sends wait in a queue for this time. */
export function delayed(name: string, delayMs: number): LabFault {
  return {
    what: `the packets of ${name} wait for ${delayMs} ms`,
    make: ({ lab }) => faults.delayFrom(lab, lab.host(name), delayMs),
    expected: { kind: 'slow', node: name },
  };
}

/** The host loses this percentage of the packets that it receives. */
export function losing(name: string, percent: number): LabFault {
  return {
    what: `${name} loses ${percent} % of its packets`,
    make: ({ lab }) => faults.loseAll(lab, lab.host(name), percent),
    expected: { kind: 'lossy', node: name },
  };
}

/**
 * All hosts with one value of a label have the same fault.
 * @param like the other labels with the same hosts
 */
export function ofGroup(
  hosts: readonly Pick<Host, 'name' | 'labels'>[],
  { label, value, like }: { label: string; value: string; like?: readonly string[] },
  faultOf: (name: string) => LabFault,
): LabFault {
  const members = hosts.filter(({ labels }) => labels?.[label] === value);
  const each = members.map(({ name }) => faultOf(name));
  return {
    what: `${label}=${value}: ${each.map(({ what }) => what).join(', ')}`,
    make: async (mesh) => faults.together(await Promise.all(each.map((one) => one.make(mesh)))),
    expected: {
      kind: 'group',
      group: { label, value, nodes: members.length, ...(like && { like }) },
    },
  };
}

function undoing(undo: () => void): Promise<Repair> {
  return Promise.resolve(() => {
    undo();
    return Promise.resolve();
  });
}

async function onAll(lab: Lab, make: (host: Host) => Promise<Repair>): Promise<Repair> {
  return faults.together(await Promise.all(lab.hosts.map(make)));
}

/** Drops all packets between one zone and the others, in both directions. */
async function cutBetween(
  lab: Lab,
  zone: string,
  isOther: (zone: string | undefined) => boolean,
): Promise<Repair> {
  const near = lab.hosts.filter((host) => host.zone === zone);
  const far = lab.hosts.filter((host) => isOther(host.zone));
  // All at once, so that no agent sees a part of the cut.
  const repairs = await Promise.all([
    ...far.map((host) => faults.dropFromAll(lab, near, host)),
    ...near.map((host) => faults.dropFromAll(lab, far, host)),
  ]);
  return faults.together(repairs);
}
