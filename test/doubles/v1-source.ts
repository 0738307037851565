import { EventLog } from '../../agent/reports/event-log.js';
import type {
  NodeFilter,
  UnknownName,
  UnknownLabel,
  UnknownZone,
  V1Source,
} from '../../api/routes/v1/source.js';
import type { Finding, Findings } from '../../api/schema/v1/findings.js';
import {
  encodeMatrixBytes,
  rttToByte,
  stateToByte,
  type CellState,
} from '../../api/schema/v1/matrix-bytes.js';
import type { NodeMatrix, ZoneMatrix } from '../../api/schema/v1/matrix.js';
import type { NodeEntry, NodeVerdict } from '../../api/schema/v1/nodes.js';
import type { MatrixQuery, TargetMatrixQuery } from '../../api/schema/v1/queries.js';
import type { ClusterVerdict, Summary } from '../../api/schema/v1/summary.js';
import type { TargetBody, TargetDetail, Targets } from '../../api/schema/v1/targets.js';
import { targetNodeMatrix, targetZoneMatrix } from './targets.js';

export const at = '2026-11-21T10:00:00.000Z';

/** What a test says of one cell of the matrix. */
export interface Cell {
  readonly state: CellState;
  readonly rttNs?: number;
  /** The channels that have the state, added up; all four if absent. */
  readonly channels?: number;
}

/** A cluster in memory, as a test says it is. */
export class MemoryV1Source implements V1Source {
  readonly events: EventLog;
  readonly entries = new Map<string, NodeEntry>();
  /** The labels that nodes are grouped by. */
  groupBy: readonly string[] = [];
  observers: Findings['observers'] = { fresh: 0, stale: 0, silent: 0, oldestSeconds: 0 };
  open: Finding[] = [];
  /** Undefined: as the findings say. */
  verdict: ClusterVerdict | undefined;
  reason: string | undefined;
  unexplained: number | undefined;
  unexplainedTargets: number | undefined;
  notProbed: Summary['notProbed'];
  problems: Summary['problems'];
  cells = new Map<string, Cell>();
  ages = new Map<string, number | null>();
  readonly stale = new Set<string>();
  /** How many rows a body by node has at most. */
  maxRows = Infinity;
  unreported: ZoneMatrix['unreported'];
  readonly asked: string[] = [];
  openTargets: TargetBody[] = [];

  constructor(names: readonly string[] = [], events = new EventLog()) {
    this.events = events;
    for (const name of names) this.entries.set(name, nodeEntry(name));
    // The agent that answers is one of the nodes, and none of the other observers.
    const fresh = Math.max(names.length - 1, 0);
    this.observers = { fresh, stale: 0, silent: 0, oldestSeconds: 4.1 };
  }

  summary(): Summary {
    this.asked.push('summary');
    const phases = [...this.entries.values()].map(({ lifecycle }) => lifecycle.phase);
    const count = (phase: string) => phases.filter((one) => one === phase).length;
    const isBroken = this.open.some(({ severity }) => severity === 'broken');
    const found = isBroken ? 'broken' : this.open.length > 0 ? 'degraded' : 'ok';
    return {
      node: [...this.entries.keys()][0] ?? 'c/n1',
      at,
      generation: 812,
      verdict: this.verdict ?? found,
      ...(this.reason !== undefined && { reason: this.reason }),
      nodes: {
        active: count('active'),
        joining: count('joining'),
        leaving: count('leaving'),
        excluded: count('excluded'),
      },
      observers: this.observers,
      groupBy: [...this.groupBy],
      paths: { host: {}, endpoint: {} },
      findings: this.open.length,
      ...(this.notProbed && { notProbed: this.notProbed }),
      ...(this.problems && { problems: this.problems }),
      ...(this.unexplained !== undefined && { unexplained: this.unexplained }),
      ...(this.unexplainedTargets !== undefined && { unexplainedTargets: this.unexplainedTargets }),
      plan: { icmp: { intervalMs: 1000, timeToDetectMs: 2500 } },
    };
  }

  findings(): Findings {
    this.asked.push('findings');
    const { unexplained, unexplainedTargets } = this;
    return {
      at,
      observers: this.observers,
      findings: this.open,
      ...(unexplained !== undefined && { unexplained }),
      ...(unexplainedTargets !== undefined && { unexplainedTargets }),
    };
  }

  matrix(query: MatrixQuery): ZoneMatrix | NodeMatrix | UnknownZone | UnknownLabel {
    this.asked.push(`matrix by ${query.by}`);
    const zones = new Set([...this.entries.values()].map(({ zone }) => zone ?? ''));
    for (const zone of [query.zone, query.toZone]) {
      if (zone !== undefined && !zones.has(zone)) return { zone, nearest: [...zones].at(-1) };
    }
    const { unreported } = this;
    const { by } = query;
    const isKnown = by === 'zone' || by === 'node' || this.groupBy.includes(by);
    if (!isKnown) return { label: by, nearest: this.groupBy[0] };
    const matrix = by === 'node' ? this.#nodeMatrix(query) : this.#zoneMatrix(query);
    return { ...matrix, ...(unreported && { unreported }) };
  }

  nodes(filter: NodeFilter): readonly NodeEntry[] | UnknownZone {
    const { state, zone, name, shows, afterName, limit } = filter;
    const zones = new Set([...this.entries.values()].map((entry) => entry.zone ?? ''));
    if (zone && !zones.has(zone)) return { zone, nearest: [...zones].at(-1) };
    return [...this.entries.values()]
      .filter((entry) => shows === undefined || entry[shows] !== undefined)
      .filter((entry) => afterName === undefined || entry.name > afterName)
      .filter((entry) => state === undefined || entry.verdict === state)
      .filter((entry) => zone === undefined || (entry.zone ?? '') === zone)
      .filter((entry) => name === undefined || entry.name.includes(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, limit);
  }

  node(name: string): NodeEntry | UnknownName {
    return this.entries.get(name) ?? this.entries.get(`c/${name}`) ?? { nearest: undefined };
  }

  targets(): Targets {
    this.asked.push('targets');
    return { at, targets: this.openTargets };
  }

  target(name: string): TargetDetail | UnknownName {
    this.asked.push(`target ${name}`);
    const target = this.openTargets.find((one) => one.name === name);
    return target ? { ...target, at } : { nearest: this.openTargets[0]?.name };
  }

  targetMatrix(query: TargetMatrixQuery): ZoneMatrix | NodeMatrix | UnknownName {
    const target = this.openTargets.find((one) => one.name === query.target);
    if (!target) return { nearest: this.openTargets[0]?.name };
    const nodes = [...this.entries.values()];
    if (query.by === 'zone') return targetZoneMatrix(target, nodes, at);
    const { zone } = query;
    const chosen = nodes.filter((node) => zone === undefined || (node.zone ?? '') === zone);
    return targetNodeMatrix(target, chosen, at);
  }

  cell(from: string, to: string): Cell {
    return this.cells.get(`${from} ${to}`) ?? { state: 'reachable', rttNs: 200_000 };
  }

  #zoneMatrix({ by, plane, protocol }: MatrixQuery): ZoneMatrix {
    const isWorst = plane === 'worst' || protocol === 'worst';
    const entries = [...this.entries.values()].map((entry) =>
      by === 'zone' ? entry : { ...entry, zone: entry.labels?.[by] },
    );
    const zones = [...new Set(entries.map(({ zone }) => zone ?? ''))].sort();
    const cells = zones.flatMap((from) =>
      zones.map((to) => {
        const pairs = entries
          .filter(({ zone }) => (zone ?? '') === from)
          .flatMap((observer) =>
            entries
              .filter(({ zone }) => (zone ?? '') === to)
              .map((target) => this.cell(observer.name, target.name)),
          );
        const count = (...states: CellState[]) =>
          pairs.filter(({ state }) => states.includes(state)).length;
        const rtts = pairs
          .flatMap(({ rttNs }) => (rttNs === undefined ? [] : [rttNs]))
          .sort((a, b) => a - b);
        const p50Ns = rtts[Math.floor(rtts.length / 2)];
        const p99Ns = rtts.at(-1);
        return {
          from,
          to,
          pairs: pairs.length,
          failing: count('unreachable'),
          lossy: count('lossy-or-slow'),
          slow: 0,
          degraded: count('lossy-or-slow'),
          unknown: count('unknown', 'no-report'),
          ...(isWorst && { plane: 'host' as const, protocol: 'http' as const }),
          ...(p50Ns !== undefined && { p50Ns }),
          ...(p99Ns !== undefined && { p99Ns }),
        };
      }),
    );
    return { at, ...(by !== 'zone' && { by }), zones, cells };
  }

  #nodeMatrix({ zone, nodes, rowsAfter, plane, protocol }: MatrixQuery): NodeMatrix {
    const names = [...this.entries.values()]
      .filter((entry) => zone === undefined || (entry.zone ?? '') === zone)
      .map(({ name }) => name)
      .filter((name) => nodes === undefined || nodes.includes(name));
    const left = names.filter((name) => rowsAfter === undefined || name > rowsAfter);
    const rows = left.slice(0, this.maxRows);
    const count = rows.length * names.length;
    const states = new Uint8Array(count).fill(stateToByte('reachable'));
    const rtts = new Uint8Array(count).fill(rttToByte(200_000));
    const channels = new Uint8Array(count).fill(15);
    const rowOf = new Map(rows.map((name, index) => [name, index]));
    const columnOf = new Map(names.map((name, index) => [name, index]));
    for (const [pair, { state, rttNs, channels: by = 15 }] of this.cells) {
      const [from = '', to = ''] = pair.split(' ');
      const [row, column] = [rowOf.get(from), columnOf.get(to)];
      if (row === undefined || column === undefined) continue;
      states[row * names.length + column] = stateToByte(state);
      rtts[row * names.length + column] = rttToByte(rttNs);
      channels[row * names.length + column] = by;
    }
    const isWorst = plane === 'worst' || protocol === 'worst';
    const omittedRows = left.length - rows.length;
    return {
      at,
      rows,
      columns: names,
      ...(omittedRows > 0 && { omittedRows }),
      ages: rows.map((name) => (this.ages.has(name) ? (this.ages.get(name) ?? null) : 1.5)),
      stale: rows.map((name) => this.stale.has(name)),
      ...encodeMatrixBytes({ states, rtts, ...(isWorst && { channels }) }),
    };
  }
}

/** A node that is well. */
export function nodeEntry(name: string, more: Partial<NodeEntry> = {}): NodeEntry {
  const path = { state: 'reachable' as const, rttNs: 200_000 };
  return {
    name,
    lifecycle: { phase: 'active' },
    addresses: { host: ['10.0.0.1'], endpoint: ['10.244.0.1'] },
    verdict: 'ok' satisfies NodeVerdict,
    paths: { host: { icmp: path, http: path }, endpoint: { icmp: path, http: path } },
    seenBy: { reachable: 39, unreachable: 0, of: 39 },
    ...more,
  };
}

/** The finding of the contract's example. */
export function endpointPlaneFinding(more: Partial<Finding> = {}): Finding {
  return {
    id: 'endpoint-plane:c/n7',
    kind: 'endpoint-plane',
    severity: 'broken',
    node: 'c/n7',
    plane: 'endpoint',
    protocols: ['icmp', 'http'],
    direction: 'inbound',
    since: '2026-11-21T09:57:50.000Z',
    seenBy: { failing: 38, of: 39 },
    explains: 76,
    confidence: 0.97,
    text: '38 of 39 nodes cannot reach the endpoint of c/n7 (10.244.7.2); its node IP answers all of them',
    next: [
      'kubectl -n meshprobe get pods -o wide --field-selector spec.nodeName=n7',
      'kubectl -n kube-system logs -l k8s-app=cilium --field-selector spec.nodeName=n7',
    ],
    evidence: [
      {
        from: 'c/n1',
        to: 'c/n7',
        plane: 'endpoint',
        protocol: 'icmp',
        failure: 'Connection timed out',
        since: '2026-11-21T09:57:50.000Z',
      },
    ],
    ...more,
  };
}

/** A change of a path's state. */
export function pathChange(node: string, state: 'reachable' | 'unreachable' = 'unreachable') {
  return {
    type: 'path' as const,
    at,
    node,
    plane: 'host' as const,
    protocol: 'icmp' as const,
    address: '10.0.0.7',
    previousState: state === 'reachable' ? ('unreachable' as const) : ('reachable' as const),
    state,
    ...(state === 'unreachable' && { failure: 'Connection timed out' }),
  };
}
