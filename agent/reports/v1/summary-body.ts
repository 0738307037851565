import type { ClusterVerdict, Summary } from '../../../api/schema/v1/summary.js';
import type { Plane } from '../../model/path.js';
import { protocols } from '../../model/sample.js';
import { countPhases } from '../count-phases.js';
import type { ClusterState } from './cluster-state.js';

/** The body of `GET /v1/summary`. */
export function summaryBody(state: ClusterState): Summary {
  const { snapshot, nodes, localName, at } = state;
  const plan: Summary['plan'] = {};
  for (const protocol of protocols) {
    const own = snapshot.plan[protocol];
    if (!own) continue;
    const { intervalMs, timeToDetectMs, timeToDetectWithHintsMs = timeToDetectMs } = own;
    plan[protocol] = { intervalMs, timeToDetectMs, timeToDetectWithHintsMs };
  }
  const countsOf = (plane: Plane) => ({
    icmp: { ...snapshot.counts[plane].icmp },
    http: { ...snapshot.counts[plane].http },
  });
  return {
    node: localName,
    at: new Date(at).toISOString(),
    generation: snapshot.generation,
    verdict: verdictOf(state),
    nodes: countPhases(nodes),
    observers: state.observers,
    paths: { host: countsOf('host'), endpoint: countsOf('endpoint') },
    findings: state.findings.length,
    plan,
  };
}

/** The cluster in one word. Without a node list or before the first sweep there is nothing to judge. */
export function verdictOf({ nodes, isSwept, findings }: ClusterState): ClusterVerdict {
  if (nodes.length === 0 || !isSwept) return 'unknown';
  if (findings.some(({ severity }) => severity === 'broken')) return 'broken';
  return findings.length > 0 ? 'degraded' : 'ok';
}
