import type { FaultKind } from './fault.js';
import { clusterKinds, pairKinds, zoneKinds } from './group-kinds.js';
import { nodeKinds } from './node-kinds.js';

/**
 * All kinds of faults. The order decides which fault a seed gives, so that figures of two versions
 * can be compared.
 */
export const faultKinds: readonly FaultKind[] = [
  nodeKinds.off,
  nodeKinds.cutOff,
  nodeKinds.requestsTo,
  nodeKinds.requestsOf,
  nodeKinds.agentGone,
  nodeKinds.agentHangs,
  nodeKinds.endpointHangs,
  nodeKinds.tunnel,
  nodeKinds.requestsToEndpoint,
  nodeKinds.hostPlane,
  nodeKinds.icmp,
  nodeKinds.hostEchoes,
  nodeKinds.probePort,
  clusterKinds.icmp,
  clusterKinds.overlay,
  clusterKinds.endpointPort,
  zoneKinds.cut,
  zoneKinds.tunnels,
  zoneKinds.oneWay,
  zoneKinds.cutOff,
  zoneKinds.off,
  pairKinds.cut,
  pairKinds.tunnel,
  pairKinds.oneWay,
  nodeKinds.loss,
  pairKinds.loss,
  zoneKinds.loss,
  nodeKinds.slow,
  zoneKinds.slow,
];

/** No round makes these, but what fails everywhere, or failed before, can make another fault look like one of them. */
const hiddenKinds: readonly FaultKind[] = [
  nodeKinds.requestsToNodeIp,
  nodeKinds.echoes,
  nodeKinds.endpointEchoes,
  nodeKinds.endpointGets,
];

/** All kinds that a finding may name. */
export const nameableKinds = [...faultKinds, ...hiddenKinds];

const degradedKinds: readonly FaultKind[] = [
  nodeKinds.loss,
  pairKinds.loss,
  zoneKinds.loss,
  nodeKinds.slow,
  zoneKinds.slow,
];

/** The kinds that lose packets at random. */
export const lossKinds = degradedKinds.filter(({ loses }) => loses === 'packets');

/** The kinds whose probes fail. They are seen within seconds. */
export const brokenKinds = faultKinds.filter((kind) => !degradedKinds.includes(kind));
