import type { Summary } from '../../../api/schema/v1/summary.js';
import type { Plane } from '../../model/path.js';
import { protocols } from '../../model/sample.js';
import { countPhases } from '../count-phases.js';
import type { ClusterState } from './cluster-state.js';
import { familyCounts } from './second-family.js';
import { verdictOf } from './verdict.js';

/** The body of `GET /v1/summary`. */
export function summaryBody(state: ClusterState): Summary {
  const { snapshot, nodes, localName, at, notProbed, problems } = state;
  const plan: Summary['plan'] = {};
  for (const protocol of protocols) {
    const own = snapshot.plan[protocol];
    if (!own) continue;
    const { intervalMs, timeToDetectMs, timeToDetectWithHintsMs = timeToDetectMs } = own;
    plan[protocol] = { intervalMs, timeToDetectMs, timeToDetectWithHintsMs };
  }
  const families = familyCounts(state);
  const probed = protocols.filter((one) => !notProbed.some(({ protocol }) => protocol === one));
  const countsOf = (plane: Plane) =>
    Object.fromEntries(probed.map((one) => [one, { ...snapshot.counts[plane][one] }]));
  return {
    node: localName,
    at: new Date(at).toISOString(),
    generation: snapshot.generation,
    ...verdictOf(state),
    nodes: countPhases(nodes),
    clusters: new Set(nodes.map(({ name }) => name.split('/', 1)[0])).size,
    groupBy: [...state.groupBy],
    observers: state.observers,
    paths: { host: countsOf('host'), endpoint: countsOf('endpoint') },
    ...(notProbed.length > 0 && { notProbed: notProbed.map((one) => ({ ...one })) }),
    ...(families.length > 0 && { families: families.map((one) => ({ ...one })) }),
    findings: state.findings.length,
    ...(state.unexplained > 0 && { unexplained: state.unexplained }),
    ...(state.unexplainedTargets > 0 && { unexplainedTargets: state.unexplainedTargets }),
    problems: problems.map((one) => ({ ...one })),
    plan,
  };
}
