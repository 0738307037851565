import type { Logger } from 'pino';
import type { Evidence } from '../../api/schema/v1/findings.js';
import type { FlowState } from '../../api/schema/v1/nodes.js';
import type { Config } from '../config/config.js';
import type { Path, Plane } from '../model/path.js';
import type { RowFlows } from '../model/row.js';
import type { FlowVerdict } from '../path-tests/flows/flow-counts.js';
import { FlowResults, resultMs, type FlowPath } from '../path-tests/flows/flow-results.js';
import { testFlows } from '../path-tests/flows/flow-test.js';
import { startFlowTester } from '../path-tests/flows/flow-tester.js';
import { lossyPaths } from '../path-tests/flows/lossy-paths.js';
import { Returns } from '../path-tests/flows/returns.js';
import type { Peers } from '../peers/peers.js';
import { systemClock } from '../platform/clock.js';
import { loadLibc } from '../platform/libc.js';
import type { OwnEvidence } from '../reports/v1/own-evidence.js';
import type { ResultStore } from '../results/result-store.js';
import type { Stops } from './stops.js';

export interface FlowTestsOptions {
  readonly config: Pick<Config, 'probePort'>;
  readonly logger: Logger;
  readonly store: Pick<ResultStore, 'onTransition' | 'paths' | 'setSticky'>;
}

/** The flows of paths that lose probes, as this agent tests them. */
export interface FlowTests {
  /** What is known of the path to an address of a node; undefined if it was not tested of late. */
  of(node: string, plane: Plane, ip: string | undefined): FlowState | undefined;
  /** The source ports of the flows that never pass a path by HTTP while others do. */
  evidenceOf(path: Evidence): OwnEvidence | undefined;
  /** What the own row tells of a path: nothing, unless some of its flows never pass and others do. */
  rowFlowsOf(path: Path): RowFlows | undefined;
  /** Begins to test. The own row says which paths lose probes. */
  start(peers: Pick<Peers, 'ownRow' | 'directory' | 'rows'>, stops: Stops): void;
}

/** Tests the flows of paths that lose probes by HTTP: 64 source ports, three SYNs each. */
export function createFlowTests({ config, logger, store }: FlowTestsOptions): FlowTests {
  const results = new FlowResults();
  const { probePort: port } = config;
  const addressOf = ({ node, plane }: FlowPath): string | undefined =>
    store.paths.primaryAddressOf(node, plane);
  return {
    of(node, plane, ip) {
      const known = ip === undefined ? undefined : results.of({ node, plane }, ip, now());
      if (!known) return undefined;
      const { result, tried, failing, sometimes, ports, testedAt } = known;
      const at = new Date(testedAt).toISOString();
      return { result, tried, failing, sometimes, ports: [...ports], at };
    },
    evidenceOf({ to: node, plane, protocol }) {
      const ip = protocol === 'http' ? addressOf({ node, plane }) : undefined;
      const known = ip === undefined ? undefined : results.of({ node, plane }, ip, now());
      return known?.result === 'sticky' ? { ports: [...known.ports] } : undefined;
    },
    rowFlowsOf({ node, plane, ip }) {
      const known = results.of({ node, plane }, ip, now());
      if (known?.result !== 'sticky') return undefined;
      const { tried, failing, sometimes } = known;
      return { tried, failing, sometimes };
    },
    start(peers, stops) {
      const returns = new Returns();
      const stopReturns = store.onTransition(({ path, protocol, before, after }) => {
        const isReturn = before.state === 'unreachable' && after.state === 'reachable';
        if (isReturn && protocol === 'http') returns.note(path, now());
      });
      stops.add(stopReturns);
      const stop = startFlowTester({
        results,
        clock: systemClock,
        lossyPaths: () =>
          lossyPaths(peers.ownRow.prepared.row, returns.paths(now()), () => peers.rows()),
        nodes: () => peers.directory.size,
        addressOf,
        test: (ip, signal) => verdictOf(ip, port, signal),
        onResult({ node, plane }, { ip, result, tried, failing, ports, testedMs }) {
          // A later test that shows none ends it at once.
          const untilMs = result === 'sticky' ? testedMs + resultMs : testedMs;
          store.setSticky({ node, plane, ip }, untilMs);
          logger.info({ node, plane, ip, result, tried, failing, ports }, 'flows tested');
        },
      });
      stops.add(stop);
    },
  };
}

function now(): number {
  return systemClock.nowMs();
}

async function verdictOf(
  ip: string,
  port: number,
  signal: AbortSignal,
): Promise<FlowVerdict | undefined> {
  for await (const line of testFlows({ ip, port }, signal, loadLibc)) {
    if (line.type === 'end') return line;
  }
  return undefined;
}
