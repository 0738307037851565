import type { UdpState } from '../../api/schema/v1/nodes.js';
import type { Config } from '../config/config.js';
import type { MeshKeys } from '../exchange/messages/mesh-keys.js';
import { TrustedSources } from '../exchange/messages/trusted-sources.js';
import type { Node } from '../model/node.js';
import { primaryPathsToOthers, type Plane } from '../model/path.js';
import { UdpPaths, windowMs, type UdpPath } from '../path-tests/udp/udp-paths.js';
import type { UdpTotals } from '../path-tests/udp/udp-counts.js';
import { startUdpTester } from '../path-tests/udp/udp-tester.js';
import { systemClock } from '../platform/clock.js';
import { shuffled } from '../platform/shuffled.js';
import { startUdpEcho } from '../serving/responder/udp-echo.js';
import type { Stops } from './stops.js';

export interface UdpOptions {
  readonly config: Pick<Config, 'localName' | 'listenAddresses' | 'mesh'>;
  readonly port: number;
  readonly keys: MeshKeys;
}

/** What the test by UDP needs and knows. */
export interface Udp {
  /** Takes a whole new node list. */
  setNodes(nodes: readonly Node[]): void;
  /** What is known of the path to an address of a node; undefined if it is not tested. */
  of(node: string, plane: Plane, ip: string | undefined): UdpState | undefined;
  /** What became of the datagrams of a plane, of all paths that ever answered. */
  sum(plane: Plane): UdpTotals;
  /**
   * Answers the datagrams of others and sends own ones.
   * @throws StartError where the port cannot be had
   */
  start(stops: Stops, onFailure: (reason: Error) => void): Promise<void>;
}

/**
 * Tests the primary paths to all other nodes by UDP. The endpoint plane needs a mesh key: an endpoint does
 * not know the node list, so it answers only what is signed.
 */
export function createUdp({ config, port, keys }: UdpOptions): Udp {
  const paths = new UdpPaths();
  const trusted = new TrustedSources(config.mesh?.trustedSources);
  let listed: ReadonlySet<string> = new Set();
  const clock = systemClock;
  return {
    setNodes(nodes) {
      listed = new Set(nodes.flatMap(({ host }) => host));
      paths.setPaths(testedPaths(nodes, config.localName, keys.isKeyed));
    },
    of(node, plane, ip) {
      const known = ip === undefined ? undefined : paths.of({ node, plane, ip }, clock.nowMs());
      if (!known) return undefined;
      const { answeredAt, ...totals } = known;
      return {
        windowSeconds: windowMs / 1000,
        ...totals,
        ...(answeredAt !== undefined && { lastAnswer: new Date(answeredAt).toISOString() }),
      };
    },
    sum: (plane) => paths.sum(plane, clock.nowMs()),
    async start(stops, onFailure) {
      const echo = await startUdpEcho({
        addresses: config.listenAddresses,
        port,
        keys,
        isAllowed: (ip) => listed.has(ip) || trusted.has(ip),
        nowMs: () => clock.nowMs(),
        onFailure,
      });
      stops.add(() => echo.stop());
      stops.add(startUdpTester({ paths, port, keys, clock }));
    },
  };
}

function testedPaths(nodes: readonly Node[], localName: string, hasKey: boolean): UdpPath[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  // Agents that start together would all test the same node at the same time.
  return shuffled(primaryPathsToOthers(nodes, localName))
    .filter(({ plane }) => plane === 'host' || hasKey)
    .map((path) => ({ ...path, sources: new Set(byName.get(path.node)?.[path.plane]) }));
}
