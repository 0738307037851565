import { encodeMatrixBytes, rttToByte, stateToByte } from '../../api/schema/v1/matrix-bytes.js';
import type { NodeMatrix, ZoneCell, ZoneMatrix } from '../../api/schema/v1/matrix.js';
import type { TargetBody, TargetPlane } from '../../api/schema/v1/targets.js';

interface OneNode {
  readonly name: string;
  readonly zone?: string | undefined;
}

/** A plane from which all nodes reach the target. */
export function targetPlane(nodes: number, more: Partial<TargetPlane> = {}): TargetPlane {
  return {
    state: 'reachable',
    since: '2026-11-21T08:00:00.000Z',
    rtt: { lastNs: 410_000, p50Ns: 400_000, p95Ns: 700_000, p99Ns: 900_000 },
    loss: { loss1m: 0, loss10m: 0, loss1h: 0.01 },
    reached: { from: nodes, of: nodes, lossy: 0, slow: 0, notLooked: 0 },
    notFrom: [],
    p50Ns: 420_000,
    p99Ns: 1_900_000,
    ...more,
  };
}

/** The plane of a target that some of the nodes do not reach. */
export function failingPlane(
  nodes: number,
  notFrom: readonly string[],
  more: Partial<TargetPlane> = {},
): TargetPlane {
  return targetPlane(nodes, {
    reached: {
      from: nodes - notFrom.length,
      of: nodes,
      lossy: 0,
      slow: 0,
      notLooked: 0,
    },
    notFrom: notFrom.slice(0, 64),
    ...more,
  });
}

/** A target that is well. */
export function targetBody(
  name: string,
  nodes: number,
  more: Partial<TargetBody> = {},
): TargetBody {
  return {
    name,
    kind: 'dns',
    probe: 'A kubernetes.default.svc at its own nameservers',
    verdict: 'ok',
    planes: {
      host: targetPlane(nodes, { addresses: ['10.96.0.1'], ttlSeconds: 30 }),
      endpoint: targetPlane(nodes, { addresses: ['10.96.0.1'], ttlSeconds: 30 }),
    },
    plan: {
      intervalMs: 5000,
      timeoutMs: 2000,
      timeToDetectMs: 7500,
      timeToDetectWithHintsMs: 3500,
      budgetPerSecond: 50,
    },
    ...more,
  };
}

const planesOf = ({ planes }: TargetBody) =>
  (['host', 'endpoint'] as const).filter((plane) => planes[plane] !== undefined);

const isFailing = (target: TargetBody, plane: 'host' | 'endpoint', node: string) =>
  target.planes[plane]?.notFrom.includes(node) === true;

/** The body of `/v1/matrix?target=NAME&by=zone`. */
export function targetZoneMatrix(
  target: TargetBody,
  nodes: readonly OneNode[],
  at: string,
): ZoneMatrix {
  const zones = [...new Set(nodes.map(({ zone }) => zone ?? ''))].sort();
  const columns = planesOf(target);
  const cells = zones.flatMap((from) =>
    columns.map((plane): ZoneCell => {
      const inZone = nodes.filter(({ zone }) => (zone ?? '') === from);
      const failing = inZone.filter(({ name }) => isFailing(target, plane, name)).length;
      const none = { lossy: 0, slow: 0, degraded: 0, unknown: 0 };
      const rtts = { p50Ns: 420_000, p99Ns: 1_900_000 };
      return { from, to: plane, plane, pairs: inZone.length, failing, ...none, ...rtts };
    }),
  );
  return { at, zones, columns, cells };
}

/** The body of `/v1/matrix?target=NAME&by=node`. */
export function targetNodeMatrix(
  target: TargetBody,
  nodes: readonly OneNode[],
  at: string,
): NodeMatrix {
  const columns = planesOf(target);
  const cells = nodes.flatMap(({ name }) => columns.map((plane) => isFailing(target, plane, name)));
  return {
    at,
    rows: nodes.map(({ name }) => name),
    columns,
    ages: nodes.map(() => 1.5),
    stale: nodes.map(() => false),
    ...encodeMatrixBytes({
      states: Uint8Array.from(cells, (fails) => stateToByte(fails ? 'unreachable' : 'reachable')),
      rtts: Uint8Array.from(cells, (fails) => rttToByte(fails ? undefined : 420_000)),
    }),
  };
}
