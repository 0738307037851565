import type { NodeFilter, UnknownName } from '../../../api/routes/v1/source.js';
import type { NodeEntry, NodeVerdict, OwnPath } from '../../../api/schema/v1/nodes.js';
import { troublesOf } from '../../../api/schema/v1/path-words.js';
import { nearestName } from '../../model/nearest-name.js';
import { fullNameOf } from '../../model/node-name.js';
import { knownText, type Node } from '../../model/node.js';
import { labelOf } from '../../model/node-labels.js';
import { planes, type Plane } from '../../model/path.js';
import { protocols, type Protocol } from '../../model/sample.js';
import type { Steps } from '../../platform/time-slices.js';
import type { NodeView, ProtocolView } from '../../results/snapshot.js';
import { isActive, type ClusterState, type StandsFor } from './cluster-state.js';
import { isBehindCut, nodesOf } from './finding-nodes.js';
import { unreachableAddresses } from './second-addresses.js';
import { createSeenBy, type CountSeenBy, type SeenBy } from './seen-by.js';
import { reportedByNode, hostReports } from './reported-by-node.js';

/**
 * The nodes that match, in the order of their names by code unit.
 * @param seenBy what was counted for the page before; left out, it is counted anew
 */
export function* nodeEntries(
  state: ClusterState,
  filter: NodeFilter,
  seenBy?: CountSeenBy,
): Steps<NodeEntry[]> {
  const { zone, name, shows, afterName, limit, state: verdict } = filter;
  const hosts = shows && (yield* hostReports(state, shows));
  const write = yield* createEntryWriter(state, seenBy ?? (yield* createSeenBy(state)));
  const chosen = state.nodes
    .filter((node) => zone === undefined || (node.zone ?? '') === zone)
    .filter((node) => name === undefined || node.name.includes(name))
    .filter((node) => hosts === undefined || hosts.has(node.name))
    .filter((node) => afterName === undefined || node.name > afterName)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const entries: NodeEntry[] = [];
  for (const node of chosen) {
    if (entries.length === limit) break;
    const entry = { ...write(node), ...hosts?.get(node.name) };
    if (verdict === undefined || entry.verdict === verdict) entries.push(entry);
    yield;
  }
  return entries;
}

/** One node by its full name, or by its bare name in the agent's own cluster. */
export function* nodeEntry(state: ClusterState, name: string): Steps<NodeEntry | undefined> {
  const full = fullNameOf(name, state.clusterName);
  const node = state.nodes.find((one) => one.name === full);
  if (!node) return undefined;
  const entry = (yield* createEntryWriter(state, yield* createSeenBy(state)))(node);
  const labels = labelsOf(node, state.groupBy);
  return { ...entry, ...(labels && { labels }), ...(yield* reportedByNode(state, full)) };
}

/** A node's values of the labels that nodes are grouped by; undefined if it has none of them. */
function labelsOf(node: Node, groupBy: readonly string[]): NodeEntry['labels'] {
  const entries = groupBy.flatMap((label): [string, string][] => {
    const value = labelOf(node, label);
    return value === undefined ? [] : [[label, value]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** What is told of a name that no node has. */
export function unknownNode(
  state: {
    readonly nodes: readonly Pick<Node, 'name'>[];
    readonly clusterName: string;
  },
  name: string,
): UnknownName {
  const names = state.nodes.map((node) => node.name);
  return { nearest: nearestName(fullNameOf(name, state.clusterName), names) };
}

function* createEntryWriter(
  state: ClusterState,
  seenBy: CountSeenBy,
): Steps<(node: Node) => NodeEntry> {
  const views = new Map(state.snapshot.nodes.map((view) => [view.name, view]));
  const notProbed = Object.fromEntries(
    state.notProbed.map(({ protocol, text }) => [protocol, text]),
  );
  const accused = new Map<string, 'broken' | 'degraded'>();
  const brokenForMs = new Map<string, number>();
  const manyAt = new Map<string, string[]>();
  for (const finding of state.findings) {
    const forMs = state.at - Date.parse(finding.since);
    for (const node of nodesOf(finding, state.standsFor)) {
      if (accused.get(node) !== 'broken') accused.set(node, finding.severity);
      if (finding.severity === 'broken') {
        brokenForMs.set(node, Math.max(forMs, brokenForMs.get(node) ?? 0));
      }
    }
    for (const place of placesOf(state.standsFor(finding))) {
      const ids = manyAt.get(place);
      if (ids) ids.push(finding.id);
      else manyAt.set(place, [finding.id]);
    }
    yield;
  }
  const isConcerned = ({ name, zone = '' }: Node): boolean =>
    state.findings.some(({ node, pair, zones, group, target, count }) => {
      if (pair) return pair.includes(name);
      // One zone that is cut off fails from all others, and they from it.
      if (zones) return zones.length === 1 || zones.includes(zone);
      return [node, group, target, count].every((subject) => subject === undefined);
    });
  return (node) => {
    const view = views.get(node.name);
    const paths = ownPaths(view, notProbed);
    // Who looked last before it broke may be among those that are down, and reached it then.
    const seen = seenBy(node, brokenForMs.get(node.name));
    const unreachable = view && isActive(node) ? unreachableAddresses(view, state) : [];
    const ids = [
      ...(manyAt.get(`node ${node.name}`) ?? []),
      ...(manyAt.get(`zone ${node.zone ?? ''}`) ?? []),
    ];
    return {
      name: node.name,
      ...(node.zone !== undefined && { zone: node.zone }),
      lifecycle: { ...(node.lifecycle ?? { phase: 'active' }) },
      ...(node.condition && { known: knownText(node.condition) }),
      addresses: { host: [...node.host], endpoint: [...node.endpoint] },
      verdict: verdictOf(
        node,
        accused.get(node.name),
        ids.length > 0 || isConcerned(node),
        paths,
        seen,
        unreachable.length > 0 || isBehindCut(node, state.findings),
      ),
      ...(unreachable.length > 0 && { unreachableAddresses: unreachable }),
      ...(ids.length > 0 && { findings: ids }),
      paths,
      seenBy: seen,
    };
  };
}

/** The nodes and zones that causes name, each once. */
function placesOf(causes: readonly StandsFor[]): ReadonlySet<string> {
  return new Set(
    causes.flatMap(({ type, names, nodes = names }) =>
      nodes.map((name) => `${type === 'zones' ? 'zone' : 'node'} ${name}`),
    ),
  );
}

/**
 * A finding about the node decides. Where paths to it do not work well, a finding about more than it may be why;
 * without one, the cause is not known.
 */
function verdictOf(
  node: Node,
  accused: 'broken' | 'degraded' | undefined,
  isConcerned: boolean,
  paths: NodeEntry['paths'],
  seenBy: SeenBy,
  isTroubledOtherwise: boolean,
): NodeVerdict {
  if (!isActive(node)) return 'excluded';
  if (accused) return accused;
  const own = [paths.host, paths.endpoint].flatMap((plane) => [plane?.icmp, plane?.http]);
  const known = own.filter((path) => path !== undefined);
  const isTroubled =
    isTroubledOtherwise ||
    seenBy.unreachable > 0 ||
    known.some((path) => path.state === 'unreachable' || troublesOf(path).length > 0);
  if (isTroubled) return isConcerned ? 'degraded' : 'unknown';
  const isSeen = known.some(({ state }) => state === 'reachable') || seenBy.reachable > 0;
  return isSeen ? 'ok' : 'unknown';
}

/** Why a protocol is not probed at all. */
type NotProbedTexts = Readonly<Partial<Record<Protocol, string>>>;

function ownPaths(view: NodeView | undefined, notProbed: NotProbedTexts): NodeEntry['paths'] {
  const paths: NodeEntry['paths'] = { host: {} };
  for (const plane of planes) {
    const entries = view && planePaths(view, plane, notProbed);
    if (entries) paths[plane] = entries;
  }
  return paths;
}

function planePaths(
  view: NodeView,
  plane: Plane,
  notProbed: NotProbedTexts,
): NodeEntry['paths']['host'] | undefined {
  const [primary] = view[plane];
  if (!primary) return undefined;
  return Object.fromEntries(
    protocols.map((protocol) => [protocol, ownPath(primary[protocol], notProbed[protocol])]),
  );
}

function ownPath({ state, summary }: ProtocolView, notProbed?: string): OwnPath {
  const {
    state: reachability,
    rttNs,
    failure,
    notSent,
    sinceAt,
    lastProbedAt,
    answeredSentMs,
  } = state;
  const unanswered = answeredSentMs > -Infinity ? 'not answered for long' : undefined;
  const reason =
    notProbed ?? notSent ?? (lastProbedAt === undefined ? 'not probed yet' : unanswered);
  const isReachable = reachability === 'reachable';
  return {
    state: reachability,
    since: new Date(sinceAt).toISOString(),
    ...(isReachable && summary.isLossy && { lossy: true, degraded: true }),
    ...(isReachable && summary.isSlow && { slow: true, degraded: true }),
    ...(rttNs !== undefined && { rttNs: Math.round(rttNs) }),
    ...(failure !== undefined && { failure }),
    ...(reachability === 'unknown' && reason !== undefined && { reason }),
  };
}
