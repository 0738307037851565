import {
  encodeMatrixBytes,
  rttToByte,
  stateToByte,
  type CellState,
} from '../../../api/schema/v1/matrix-bytes.js';
import type { NodeMatrix } from '../../../api/schema/v1/matrix.js';
import type { MatrixQuery } from '../../../api/schema/v1/queries.js';
import { nameHash } from '../../model/name-hash.js';
import type { Node } from '../../model/node.js';
import { freshForMs, type Row } from '../../model/row.js';
import type { NodeView } from '../../results/snapshot.js';
import { isActive, type ClusterState, type ObserverRow, type WholeRow } from './cluster-state.js';
import { lastToldHash, listedCells, type RowCell } from './row-reader.js';

/** The most rows and columns of one body; a body of as many is some 2 MB. */
const maxNodes = 1000;

const stateOfCell: Readonly<Record<RowCell, CellState>> = {
  reachable: 'reachable',
  unreachable: 'unreachable',
  unknown: 'unknown',
  lossy: 'degraded',
  slow: 'degraded',
};

/**
 * The body of `GET /v1/matrix?by=node`. The agent's own row comes from its snapshot, a peer's from its whole row
 * while that is fresh, else from its short row, which has no RTTs. Without either its cells say `no-report`.
 * `ages` are of what is shown.
 */
export function nodeMatrixBody(state: ClusterState, query: MatrixQuery): NodeMatrix {
  const { zone, toZone = zone } = query;
  const observers = chooseNodes(state.nodes, query, zone);
  const nodes = chooseNodes(state.nodes, query, toZone);
  const columnOf = new Map(nodes.map(({ name }, column) => [name, column]));
  const rows = new Map([...state.rows].map((row) => [row.row.observer, row]));
  const states = new Uint8Array(observers.length * nodes.length);
  const rtts = new Uint8Array(observers.length * nodes.length);
  const ages = observers.map((observer, index) => {
    const from = index * nodes.length;
    const into = {
      states: states.subarray(from, from + nodes.length),
      rtts: rtts.subarray(from, from + nodes.length),
    };
    const told = rows.get(observer.name);
    const whole = told && freshWholeRow(state, told, query);
    if (observer.name === state.localName) writeOwn(state, nodes, query, into);
    else if (whole) writeWholeRow(whole, columnOf, into);
    else if (told) writeShortRow(told.row, nodes, query, into);
    nodes.forEach((node, column) => {
      const isExpected = isActive(node) && node[query.plane].length > 0;
      if (!isExpected) into.states[column] = stateToByte('excluded');
    });
    return told ? Math.round((whole ?? told).ageMs / 100) / 10 : null;
  });
  return {
    at: new Date(state.at).toISOString(),
    rows: observers.map(({ name }) => name),
    columns: nodes.map(({ name }) => name),
    ages,
    ...encodeMatrixBytes({ states, rtts }),
  };
}

interface RowBytes {
  readonly states: Uint8Array;
  readonly rtts: Uint8Array;
}

function chooseNodes(
  nodes: readonly Node[],
  { nodes: wanted }: MatrixQuery,
  zone: string | undefined,
): Node[] {
  const names = wanted && new Set(wanted);
  return nodes
    .filter((node) => zone === undefined || (node.zone ?? '') === zone)
    .filter(({ name }) => names === undefined || names.has(name))
    .slice(0, maxNodes);
}

function writeOwn(
  { snapshot }: ClusterState,
  nodes: readonly Node[],
  { plane, protocol }: MatrixQuery,
  into: RowBytes,
): void {
  const views = new Map<string, NodeView>(snapshot.nodes.map((view) => [view.name, view]));
  nodes.forEach(({ name }, column) => {
    const view = views.get(name)?.[plane][0]?.[protocol];
    if (!view) return;
    const { state, summary } = view;
    const isDegraded = state.state === 'reachable' && (summary.isLossy || summary.isSlow);
    into.states[column] = stateToByte(isDegraded ? 'degraded' : state.state);
    into.rtts[column] = rttToByte(state.rttNs);
  });
}

/** The observer's whole row, if it is as recent as a fresh row is. The own row needs none. */
function freshWholeRow(
  { localName, wholeRow }: ClusterState,
  { row }: ObserverRow,
  { plane, protocol }: MatrixQuery,
): WholeRow | undefined {
  if (row.observer === localName) return undefined;
  const whole = wholeRow(row.observer, plane, protocol);
  return whole && whole.ageMs <= freshForMs(row) ? whole : undefined;
}

function writeWholeRow(
  whole: WholeRow,
  columnOf: ReadonlyMap<string, number>,
  into: RowBytes,
): void {
  whole.nodes.forEach((name, index) => {
    const column = columnOf.get(name);
    if (column === undefined) return;
    into.states[column] = whole.states[index] ?? 0;
    into.rtts[column] = whole.rtts[index] ?? 0;
  });
}

function writeShortRow(
  row: Row,
  nodes: readonly Node[],
  { plane, protocol }: MatrixQuery,
  into: RowBytes,
): void {
  const last = lastToldHash(row);
  const listed = listedCells(row, plane, protocol);
  nodes.forEach(({ name }, column) => {
    if (nameHash(name) > last) return;
    into.states[column] = stateToByte(stateOfCell[listed.get(name) ?? 'reachable']);
  });
}
