import type { Logger } from 'pino';
import type { LargeState } from '../../api/schema/v1/nodes.js';
import type { Config } from '../config/config.js';
import { getPadded, paddingBytes } from '../path-tests/large/large-get.js';
import { LargePaths, type LargeLimit } from '../path-tests/large/large-paths.js';
import { startLargeTester } from '../path-tests/large/large-tester.js';
import { testMtu } from '../path-tests/mtu/mtu-test.js';
import type { Node } from '../model/node.js';
import { planes, type Path, type Plane } from '../model/path.js';
import { systemClock } from '../platform/clock.js';
import { loadLibc } from '../platform/libc.js';

export interface LargePacketsOptions {
  readonly config: Pick<Config, 'localName' | 'probePort'>;
  readonly logger: Logger;
}

/** Whether large packets pass, as this agent tests it. */
export interface LargePackets {
  /** Takes a whole new node list. It takes effect within half a minute. */
  setNodes(nodes: readonly Node[]): void;
  /** What is known of the path to an address of a node; undefined if it is not tested. */
  of(node: string, plane: Plane, ip: string | undefined): LargeState | undefined;
  stop(): void;
}

/** Tests with large GETs whether large packets pass the primary paths to all other nodes. */
export function createLargePackets({ config, logger }: LargePacketsOptions): LargePackets {
  const paths = new LargePaths();
  let listed: readonly Node[] = [];
  let taken = listed;
  const { probePort: port } = config;
  const stop = startLargeTester({
    paths,
    clock: systemClock,
    get: ({ ip }, isLarge, signal) => getPadded({ ip, port }, isLarge ? paddingBytes : 0, signal),
    findLimit: ({ ip }, signal) => findLimit(ip, signal),
    refresh() {
      if (taken === listed) return;
      taken = listed;
      paths.setPaths(primaryPaths(listed, config.localName), listed.length, systemClock.nowMs());
    },
    onLost({ node, plane, ip }, limit) {
      logger.warn({ node, plane, ip, limit }, 'large packets are lost, small ones pass');
    },
  });
  return {
    stop,
    setNodes: (nodes) => void (listed = nodes),
    of(node, plane, ip) {
      const known = ip === undefined ? undefined : paths.of({ node, plane, ip });
      if (!known) return undefined;
      const { state, sinceAt, limit } = known;
      return {
        state,
        size: paddingBytes,
        ...(sinceAt !== undefined && { since: new Date(sinceAt).toISOString() }),
        ...(limit && {
          limit: {
            bytes: limit.bytes,
            ...(limit.saidBy && { saidBy: limit.saidBy.address }),
          },
        }),
      };
    },
  };
}

function primaryPaths(nodes: readonly Node[], localName: string): Path[] {
  return nodes
    .filter(
      ({ name, lifecycle }) => name !== localName && (lifecycle?.phase ?? 'active') === 'active',
    )
    .flatMap((node) =>
      planes.flatMap((plane): Path[] => {
        const [ip] = node[plane];
        return ip === undefined ? [] : [{ node: node.name, plane, ip }];
      }),
    );
}

/** The largest packet that passes. Undefined where echoes are not answered, or all sizes of them are. */
async function findLimit(ip: string, signal: AbortSignal): Promise<LargeLimit | undefined> {
  try {
    for await (const line of testMtu(loadLibc(), ip, signal)) {
      if (line.type !== 'end' || line.result !== 'limited') continue;
      return { bytes: line.largestBytes ?? 0, saidBy: line.saidBy };
    }
  } catch {
    // Without the right to send echoes the limit stays unknown, and the state says what is known.
  }
  return undefined;
}
