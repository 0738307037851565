import { isZoneName } from '../../model/node.js';
import { chosenLabels, labelSharing, type NodeLabels } from '../../model/node-labels.js';
import { groupValueOf } from './group-labels.js';
import { intentionTaintOf } from './intention-taints.js';
import type { Labels } from './label-selector.js';
import { networkConditionOf, type NetworkCondition } from './network-condition.js';
import { nodeLabels } from './node-labels.js';
import { notReadyOf, type NotReady } from './ready-condition.js';
import { addressesOf, listOf, mappingOf, nodeNameOf, textOf, timeOf } from '../object-fields.js';

/** The part of a Node that is kept: some 300 bytes of 13,000. Times are epoch milliseconds. */
export interface ProjectedNode {
  readonly name: string;
  readonly uid: string;
  readonly addresses: readonly string[];
  readonly createdAt: number;
  readonly deletedAt: number | undefined;
  /** Undefined while it is ready. */
  readonly notReady: NotReady | undefined;
  readonly isCordoned: boolean;
  /** The taint that says that it is meant to be away; undefined if there is none. */
  readonly intentionTaint: string | undefined;
  /** Undefined where its labels name none. */
  readonly zone: string | undefined;
  /** Its values of the labels that group nodes, but for the zone; undefined if it has none. */
  readonly labels: NodeLabels | undefined;
  /** The `--exclude-selector` matches it. */
  readonly isDeselected: boolean;
  /** It says that it runs something else than Linux, so no agent can run there. */
  readonly isForeign: boolean;
  /** What agents have written onto it; undefined where they have not. */
  readonly networkCondition: NetworkCondition | undefined;
}

/** What decides how Node objects are projected. */
export interface NodeProjectionOptions {
  /** Tells from the labels whether a node is to be left out of the judgement; left out: no node is. */
  readonly isDeselected?: ((labels: Labels) => boolean) | undefined;
  /** The labels that are kept; left out: none. */
  readonly groupBy?: readonly string[] | undefined;
}

/** A projection of Node objects; what is no node projects to nothing. */
export function createNodeProjection({
  isDeselected = () => false,
  groupBy = [],
}: NodeProjectionOptions = {}): (object: unknown) => ProjectedNode | undefined {
  const shared = labelSharing();
  return (object) => {
    const { metadata, spec, status } = mappingOf(object);
    const meta = mappingOf(metadata);
    const name = nodeNameOf(meta['name']);
    if (name === undefined) return undefined;
    const labels = mappingOf(meta['labels']);
    const ofGroups = chosenLabels(groupBy, (label) => groupValueOf(label, labels, status));
    return {
      name,
      uid: textOf(meta['uid']).slice(0, 64),
      addresses: nodeAddresses(mappingOf(status)['addresses']),
      createdAt: timeOf(meta['creationTimestamp']) ?? 0,
      deletedAt: timeOf(meta['deletionTimestamp']),
      notReady: notReadyOf(mappingOf(status)['conditions']),
      isCordoned: mappingOf(spec)['unschedulable'] === true,
      intentionTaint: intentionTaintOf(mappingOf(spec)['taints']),
      zone: zoneOf(labels),
      labels: ofGroups && shared(ofGroups),
      isDeselected: isDeselected(labels),
      isForeign: (labels[nodeLabels.os] ?? 'linux') !== 'linux',
      networkCondition: networkConditionOf(mappingOf(status)['conditions']),
    };
  };
}

/**
 * The zone of a node, with its region in front if the zone's own name does not contain it: zones of
 * the same name in two regions are two zones.
 */
function zoneOf(labels: Labels): string | undefined {
  const zone = textOf(labels[nodeLabels.zone]);
  const region = textOf(labels[nodeLabels.region]);
  const name = zone === '' || zone.startsWith(region) ? zone : `${region}/${zone}`;
  return isZoneName(name) ? name : undefined;
}

/** Internal addresses first: that is where the cluster's own traffic goes. */
function nodeAddresses(value: unknown): string[] {
  const listed = listOf(value).map(mappingOf);
  const ofType = (wanted: string) =>
    listed.filter(({ type }) => type === wanted).map(({ address }) => address);
  return addressesOf([...ofType('InternalIP'), ...ofType('ExternalIP')]);
}
