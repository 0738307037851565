import { encodeMatrixBytes, stateToByte } from '../../../api/schema/v1/matrix-bytes.js';
import type { UnknownZone } from '../../../api/routes/v1/source.js';
import type { NodeMatrix } from '../../../api/schema/v1/matrix.js';
import type { MatrixQuery } from '../../../api/schema/v1/queries.js';
import type { Channel } from '../../model/channel.js';
import type { Node } from '../../model/node.js';
import { fullNameOf } from '../../model/node-name.js';
import { type ObservedWholeRow, freshForMs } from '../../model/row.js';
import type { Steps } from '../../platform/time-slices.js';
import {
  columnsOf,
  writeOwnRtts,
  writeReported,
  writeWhole,
  type RowBytes,
} from './channel-row.js';
import type { ClusterState } from './cluster-state.js';
import { readRows, type CoveredRow } from './covered-rows.js';
import {
  channelsOf,
  isReported,
  missingChannels,
  worstOf,
  type ChannelCells,
} from './worst-channel.js';
import { unknownZone } from './zone-nodes.js';

/** The most cells of one body; a body of as many is some 3 MB. */
const maxCells = 1_000_000;

/**
 * The body of `GET /v1/matrix?by=node`. The row of an observer says the states.
 * Where a peer's whole row was asked for and has come, that one says the RTTs, and the states of nodes that the row
 * has no room for; the agent's own RTTs come from its snapshot. Without either, cells say `no-report`. `ages` are of
 * what is shown.
 */
export function* nodeMatrixBody(
  state: ClusterState,
  query: MatrixQuery,
): Steps<NodeMatrix | UnknownZone> {
  const { zone, toZone = zone, rowsAfter } = query;
  const unknown = unknownZone(state.nodes, zone, toZone);
  if (unknown) return unknown;
  const nodes = chooseNodes(state, query, toZone);
  const observers = chooseNodes(state, query, zone).filter(
    ({ name }) => rowsAfter === undefined || name > rowsAfter,
  );
  const rows = observers.slice(0, Math.max(Math.floor(maxCells / Math.max(nodes.length, 1)), 1));
  const count = rows.length * nodes.length;
  const channels = channelsOf(query).map((channel) => ({
    channel,
    states: new Uint8Array(count),
    rtts: new Uint8Array(count),
    few: new Uint8Array(count),
  }));
  const covered = yield* readRows(state);
  const writeRow = rowWriter(state, nodes, channels.length);
  const ages: (number | null)[] = [];
  for (const [row, { name }] of rows.entries()) {
    const [from, to] = [row * nodes.length, (row + 1) * nodes.length];
    let ageMs: number | undefined;
    for (const { channel, states, rtts, few } of channels) {
      const into = {
        states: states.subarray(from, to),
        rtts: rtts.subarray(from, to),
        few: few.subarray(from, to),
      };
      const channelMs = writeRow(name, covered.get(name), channel, into);
      if (channelMs !== undefined) ageMs = Math.max(ageMs ?? 0, channelMs);
      yield;
    }
    ages.push(ageMs === undefined ? null : Math.round(ageMs / 100) / 10);
  }
  const bytes = yield* bytesOf(channels, query, count);
  const unreported = channels.filter((one) => !isReported(one));
  const missing = missingChannels(unreported, nodes, query);
  const omittedRows = observers.length - rows.length;
  return {
    at: new Date(state.at).toISOString(),
    ...(missing.length > 0 && { unreported: missing }),
    rows: rows.map(({ name }) => name),
    columns: nodes.map(({ name }) => name),
    ...(omittedRows > 0 && { omittedRows }),
    ages,
    stale: rows.map(({ name }) => covered.get(name)?.freshness === 'stale'),
    ...encodeMatrixBytes(bytes),
  };
}

/** The bytes of the one channel, or of the worst of those that anybody reports. */
function* bytesOf(
  channels: readonly ChannelCells[],
  { plane, protocol }: MatrixQuery,
  count: number,
): Steps<Parameters<typeof encodeMatrixBytes>[0]> {
  const [first] = channels;
  if (first && plane !== 'worst' && protocol !== 'worst') {
    return { states: first.states, rtts: first.rtts, few: first.few };
  }
  const reported = channels.filter(isReported);
  return yield* worstOf(reported.length > 0 ? reported : channels, count);
}

/** In the order of the names by code unit, so that `rowsAfter` asks for the next ones. */
function chooseNodes(
  { nodes, clusterName }: Pick<ClusterState, 'nodes' | 'clusterName'>,
  { nodes: wanted }: MatrixQuery,
  zone: string | undefined,
): Node[] {
  const names = wanted && new Set(wanted.map((name) => fullNameOf(name, clusterName)));
  return nodes
    .filter((node) => zone === undefined || (node.zone ?? '') === zone)
    .filter(({ name }) => names === undefined || names.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

type WriteRow = (
  observer: string,
  covered: CoveredRow | undefined,
  channel: Channel,
  into: RowBytes,
) => number | undefined;

/**
 * Returns a function that writes the cells of one observer and channel. It returns how old they are
 * in milliseconds; undefined if the observer never sent a row.
 */
function rowWriter(state: ClusterState, nodes: readonly Node[], channels: number): WriteRow {
  const { snapshot, localName } = state;
  const columns = columnsOf(nodes);
  const views = new Map(snapshot.nodes.map((view) => [view.name, view]));
  const excluded = stateToByte('excluded');
  return (observer, covered, channel, into) => {
    let ageMs = covered?.ageMs;
    if (covered) {
      const whole =
        observer === localName ? undefined : recentWholeRow(state, covered, channel, channels);
      if (whole) writeWhole(whole, columns, into);
      // What came last is right.
      if (whole && whole.ageMs < covered.ageMs) ageMs = whole.ageMs;
      else writeReported(covered, columns, channel, into);
      if (observer === localName) writeOwnRtts(views, columns, channel, into);
    }
    for (const column of columns.excluded[channel.plane]) into.states[column] = excluded;
    return ageMs;
  };
}

/**
 * The whole row of a peer, if it is recent. A peer is asked for one channel at a time, so the rows
 * of several channels take as many intervals.
 */
function recentWholeRow(
  { wholeRow }: ClusterState,
  { row }: CoveredRow,
  { plane, protocol }: Channel,
  channels: number,
): ObservedWholeRow | undefined {
  const whole = wholeRow(row.observer, plane, protocol);
  return whole && whole.ageMs <= channels * freshForMs(row) ? whole : undefined;
}
