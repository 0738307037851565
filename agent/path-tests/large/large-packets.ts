import type { Logger } from 'pino';
import type { LargeState } from '../../../api/schema/v1/nodes.js';
import { LargeSuspects, type SuspectedNode } from './large-suspects.js';
import { getPadded, paddingBytes } from './large-get.js';
import { LargePaths, type LargeLimit } from './large-paths.js';
import { startLargeTester } from './large-tester.js';
import { testMtu } from '../mtu/mtu-test.js';
import type { Node } from '../../model/node.js';
import { planes, primaryPathsToOthers, type Path, type Plane } from '../../model/path.js';
import type { RowLarge } from '../../model/row-large.js';
import { systemClock } from '../../platform/clock.js';
import { loadLibc } from '../../platform/libc.js';
import { tunnelDevices } from '../../platform/tunnel-devices.js';
import { shuffled } from '../../platform/shuffled.js';
import { runInSlices } from '../../platform/time-slices.js';

export interface LargePacketsOptions {
  readonly localName: string;
  readonly probePort: number;
  readonly logger: Logger;
  readonly primaryPath: (node: string, plane: Plane) => Path | undefined;
}

/** Whether large packets pass, as this agent tests it. */
export interface LargePackets {
  /** Takes a whole new node list. It takes effect within half a minute. */
  setNodes(nodes: readonly Node[]): void;
  /** Takes the nodes to or from which any agent says that they are lost. */
  suspectNodes(suspected: readonly SuspectedNode[]): void;
  /** Takes that something changed at a node: the paths to it are tested soon. */
  suspect(node: string): void;
  /** What the own row tells; undefined while they are lost nowhere, as far as is known. */
  row(): RowLarge | undefined;
  /** What is known of the path to an address of a node; undefined if it is not tested. */
  of(node: string, plane: Plane, ip: string | undefined): LargeState | undefined;
  /** Whether they are lost on the way to the host of a node. */
  isLostTo(node: string): boolean;
  /** Calls the listener when they begin or cease to be lost on a path, or its limit was found. */
  onChange(listener: () => void): void;
  stop(): void;
}

/** Tests with large GETs whether large packets pass the primary paths to all other nodes. */
export function createLargePackets(options: LargePacketsOptions): LargePackets {
  const { localName, probePort: port, logger, primaryPath } = options;
  const paths = new LargePaths();
  const suspects = new LargeSuspects({ paths, localName, random: Math.random });
  const listeners: (() => void)[] = [];
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  let listed: readonly Node[] = [];
  let taken = listed;
  const tester = startLargeTester({
    paths,
    clock: systemClock,
    get: ({ ip }, isLarge, signal) => getPadded({ ip, port }, isLarge ? paddingBytes : 0, signal),
    findLimit: ({ ip }, signal) => findLimit(ip, signal),
    async refresh() {
      if (taken === listed) return;
      taken = listed;
      // Agents that start together do not all begin with the same node.
      const order = shuffled(primaryPathsToOthers(listed, localName));
      await runInSlices(paths.setPaths(order, listed.length, systemClock.nowMs()));
    },
    onLost: notify,
    onLimit({ node, plane, ip }, limit) {
      logger.warn({ node, plane, ip, limit }, 'large packets are lost, small ones pass');
      notify();
    },
    onMended({ node, plane, ip }) {
      logger.info({ node, plane, ip }, 'large packets pass again');
      // What mended one path may have mended the others.
      const nowMs = systemClock.nowMs();
      for (const { path, state } of paths.entries()) if (state === 'lost') paths.hurry(path, nowMs);
      notify();
    },
  });
  return {
    stop: () => tester.stop(),
    setNodes: (nodes) => void (listed = nodes),
    suspectNodes(suspected) {
      suspects.take(suspected, listed.length, systemClock.nowMs());
      if (suspected.length > 0) tester.wake();
    },
    suspect(node) {
      for (const plane of planes) {
        const path = primaryPath(node, plane);
        if (path && suspects.suspect(path, listed.length, systemClock.nowMs())) tester.wake();
      }
    },
    row: () => suspects.row(systemClock.nowMs()),
    isLostTo(node) {
      if (paths.lost === 0) return false;
      for (const { path, state, isBack } of paths.entries()) {
        if (path.node === node && path.plane === 'host') return state === 'lost' && isBack !== true;
      }
      return false;
    },
    onChange: (listener) => void listeners.push(listener),
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

/** The largest packet that passes. Undefined where echoes are not answered, or all sizes of them are. */
async function findLimit(ip: string, signal: AbortSignal): Promise<LargeLimit | undefined> {
  try {
    for await (const line of testMtu(loadLibc(), ip, signal)) {
      if (line.type !== 'end' || line.result !== 'limited') continue;
      const { largestBytes: bytes = 0, interfaceBytes = bytes + 1, saidBy } = line;
      return { bytes, interfaceBytes, saidBy, tunnels: await tunnelDevices() };
    }
  } catch {
    // Without the right to send echoes the limit stays unknown, and the state says what is known.
  }
  return undefined;
}
