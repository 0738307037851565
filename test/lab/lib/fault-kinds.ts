import type { Plane } from '../../../agent/model/path.js';
import type { FaultKind, Layout } from '../../faults/fault.js';
import { clusterKinds, pairKinds, zoneKinds } from '../../faults/group-kinds.js';
import { nodeKinds } from '../../faults/node-kinds.js';
import { agentState, probe } from '../../faults/trouble.js';
import type { Agents } from './agents.js';
import * as faults from './faults.js';
import type { Repair } from './faults.js';
import type { Expected } from './findings.js';
import type { Lab } from './lab.js';
import type { Mesh } from './start-mesh.js';
import { probePort, type Host } from './plan.js';

/** A fault that can be made in a mesh, and the finding that each agent is expected to have. */
export interface LabFault {
  /** The fault in words, such as `n2: node cut off`. */
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
export const unplugged = ofHost(nodeKinds.cutOff, faults.cutOff);

/** Nothing that the host sends arrives anywhere. It still receives. */
export const sendingDropped = ofHost(nodeKinds.cannotSend, faults.dropSent);

/** The host drops all requests, but its own requests work. */
export const requestsDropped = ofHost(nodeKinds.requestsTo, (lab, host) =>
  faults.dropRequests(lab, host, probePort),
);

/** The agent of the host is stopped by SIGSTOP. */
export const agentFrozen = ofHost(
  nodeKinds.agentHangs,
  (_, host, agents) => {
    agents.pause(host);
    return undoing(() => agents.resume(host));
  },
  'host',
);

/** The responder of the host's endpoint is stopped by SIGSTOP. */
export const endpointFrozen = ofHost(
  nodeKinds.endpointHangs,
  (_, host, agents) => {
    agents.pauseResponder(host);
    return undoing(() => agents.resumeResponder(host));
  },
  'endpoint',
);

/** The node IP of the host is filtered, and its overlay works. */
export const nodeIpCut = ofHost(nodeKinds.hostPlane, faults.cutNodeIp, 'host');

/** The overlay of the host is cut both ways, and its node IP works. */
export const overlayCut = ofHost(nodeKinds.tunnel, faults.cutOverlay, 'endpoint');

/** The host and its endpoint drop echoes. */
export const echoesDropped = ofHost(nodeKinds.icmp, faults.dropAllEchoes);

/** The host and its endpoint drop what comes to the probe port. */
export const probePortDropped = ofHost(nodeKinds.probePort, (lab, host) =>
  faults.dropPortEverywhere(lab, host, probePort),
);

/** All packets that the host sends wait in a queue for this time. */
export function delayed(name: string, delayMs: number): LabFault {
  const slow = ofHost(nodeKinds.slow, (lab, host) => faults.delayFrom(lab, host, delayMs));
  return { ...slow(name), what: `the packets of ${name} wait for ${delayMs} ms` };
}

/** The host loses this percentage of the packets that it receives. */
export function losing(name: string, percent: number): LabFault {
  const loss = ofHost(nodeKinds.loss, (lab, host) => faults.loseAll(lab, host, percent));
  return { ...loss(name), what: `${name} loses ${percent} % of its packets` };
}

/** All hosts and their endpoints drop echoes. */
export const allEchoesDropped = ofAll(clusterKinds.icmp, faults.dropAllEchoes);

/** All hosts drop the probe port. No row travels, so each host tells only what it sees itself. */
export const allProbePortsDropped = ofAll(clusterKinds.http, (lab, host) =>
  faults.dropPortEverywhere(lab, host, probePort),
);

/** No packet passes between the hosts of these two zones. */
export function zonesCut(...zones: [string, string]): LabFault {
  return {
    what: `${zones.join(' and ')}: ${zoneKinds.cut.what}`,
    make: ({ lab }) => cutBetween(lab, zones[0], (far) => far === zones[1]),
    expected: zoneKinds.cut.expected(layoutOf({ zones }), { type: 'zones', from: 0, to: 1 }),
  };
}

/** No packet passes between this zone and all others. */
export function zoneCutOff(zone: string): LabFault {
  return {
    what: `${zone}: ${zoneKinds.cutOff.what}`,
    make: ({ lab }) => cutBetween(lab, zone, (far) => far !== zone),
    expected: zoneKinds.cutOff.expected(layoutOf({ zones: [zone] }), { type: 'zone', zone: 0 }),
  };
}

/** The second host drops the packets of the first one, so nothing between them is answered. */
export const packetsDropped = ofPair(pairKinds.cut, faults.dropFrom);

/** The first host has no route to the second one. */
export const routeRefused = ofPair(pairKinds.cut, faults.refuseRoute);

/** The agent of the host runs without exchange, so nobody gets its row. */
export function rowMissing(name: string): LabFault {
  return {
    what: `${name}: agent sends no row`,
    async make({ lab, agents }) {
      const host = lab.host(name);
      await agents.restart(host, { mesh: 'off' });
      return () => agents.restart(host);
    },
    expected: { kind: 'observers-missing', node: name },
    mute: name,
  };
}

/** The host loses large packets, and small ones pass. */
export function largeDropped(name: string): LabFault {
  return {
    what: `${name} loses large packets`,
    make: ({ lab }) => faults.dropLarge(lab, lab.host(name), 1300),
    expected: { kind: 'mtu', node: name },
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

/** What may be cut between the hosts with two values of a label: all, their overlays, or what the first ones ask the others. */
export type GroupCut = 'all' | 'overlay' | 'requests';

/** The hosts with two values of a label do not reach each other, or the first ones do not reach the others. */
export function groupsCut(
  hosts: readonly Pick<Host, 'name' | 'labels'>[],
  label: string,
  values: readonly [string, string],
  cut: GroupCut,
): LabFault {
  const [first, second] = values.map((value) =>
    hosts.filter(({ labels }) => labels?.[label] === value).map(({ name }) => name),
  );
  const [from, to] = [first ?? [], second ?? []];
  const groups = [from, to].map((names, at) => ({
    label,
    value: values[at] ?? '',
    nodes: names.length,
  }));
  return {
    what: `${label}=${values[0]} and ${label}=${values[1]}: ${cut} cut`,
    async make({ lab }) {
      const [near, far] = [from.map((name) => lab.host(name)), to.map((name) => lab.host(name))];
      if (cut === 'requests') {
        const drop = (host: Host) => faults.dropRequestsFromAll(lab, near, host, probePort);
        return faults.together(await Promise.all(far.map(drop)));
      }
      const drop = cut === 'all' ? faults.dropFromAll : faults.dropOverlayFromAll;
      return dropBetween(lab, near, far, drop);
    },
    expected: {
      kind: 'group',
      groups,
      direction: cut === 'requests' ? 'outbound' : 'both',
      ...(cut === 'overlay' && { plane: 'endpoint' }),
    },
    // A row comes as the answer to a request. So who gets no answer from beyond knows nothing of the reverse.
    ...(cut !== 'overlay' && {
      insteadOn: ({ name }) => {
        if (from.includes(name)) return { kind: 'group', groups };
        if (cut === 'requests' || !to.includes(name)) return undefined;
        return { kind: 'group', groups: [...groups].reverse() };
      },
    }),
  };
}

/** A fault of one host, of the catalogue. What it does to the agent's own view follows from its trouble. */
function ofHost(
  kind: FaultKind,
  make: (lab: Lab, host: Host, agents: Agents) => Promise<Repair>,
  plane?: Plane,
): (name: string) => LabFault {
  return (name) => {
    const layout = layoutOf({ names: [name, 'any other'] });
    const subject = { type: 'node', node: 0 } as const;
    const { trouble } = kind.make(layout, subject, 0);
    const ofItself = kind.expectedOnItself?.(layout, subject);
    const getsRows = probe([trouble], 0, 1, 'host', 'http') === undefined;
    return {
      what: `${name}: ${kind.what}`,
      make: ({ lab, agents }) => make(lab, lab.host(name), agents),
      expected: { ...kind.expected(layout, subject), ...(plane && { plane }) },
      ...(ofItself && { insteadOn: (host) => (host.name === name ? ofItself : undefined) }),
      ...(agentState(trouble, 0) !== 'runs' && { mute: name }),
      ...(!getsRows && { blind: name }),
    };
  };
}

/** A fault between two hosts, of the catalogue. */
function ofPair(
  kind: FaultKind,
  make: (lab: Lab, from: Host, to: Host) => Promise<Repair>,
): (from: string, to: string) => LabFault {
  return (from, to) => ({
    what: `${from} and ${to}: ${kind.what}`,
    make: ({ lab }) => make(lab, lab.host(from), lab.host(to)),
    expected: kind.expected(layoutOf({ names: [from, to] }), { type: 'pair', from: 0, to: 1 }),
  });
}

/** A fault of the whole cluster, of the catalogue, made at each host. */
function ofAll(kind: FaultKind, make: (lab: Lab, host: Host) => Promise<Repair>): LabFault {
  return {
    what: kind.what,
    make: async ({ lab }) =>
      faults.together(await Promise.all(lab.hosts.map((host) => make(lab, host)))),
    expected: kind.expected(layoutOf({}), { type: 'cluster' }),
  };
}

function layoutOf({ names = [], zones = [] }: Partial<Pick<Layout, 'names' | 'zones'>>): Layout {
  return { names, zones, zoneOf: names.map(() => 0) };
}

function undoing(undo: () => void): Promise<Repair> {
  return Promise.resolve(() => {
    undo();
    return Promise.resolve();
  });
}

/** Drops all packets between one zone and the others, in both directions. */
async function cutBetween(
  lab: Lab,
  zone: string,
  isOther: (zone: string | undefined) => boolean,
): Promise<Repair> {
  const near = lab.hosts.filter((host) => host.zone === zone);
  const far = lab.hosts.filter((host) => isOther(host.zone));
  return dropBetween(lab, near, far, faults.dropFromAll);
}

/** Drops packets between some hosts and others, in both directions. */
async function dropBetween(
  lab: Lab,
  near: readonly Host[],
  far: readonly Host[],
  drop: typeof faults.dropFromAll,
): Promise<Repair> {
  // All at once, so that no agent sees a part of the cut.
  const repairs = await Promise.all([
    ...far.map((host) => drop(lab, near, host)),
    ...near.map((host) => drop(lab, far, host)),
  ]);
  return faults.together(repairs);
}
