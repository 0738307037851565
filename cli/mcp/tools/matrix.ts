import * as z from 'zod';
import type { Client } from '../../../api/client/client.js';
import { planeSchema, protocolSchema, timeSchema } from '../../../api/schema/v1/fields.js';
import {
  badnessOfByte,
  byteToRttNs,
  byteToState,
  cellStates,
} from '../../../api/schema/v1/matrix-bytes.js';
import {
  byteToChannels,
  channelText,
  decodeMatrix,
  readPages,
  shownStates,
  type MatrixCells,
} from '../../../api/schema/v1/matrix-cells.js';
import { zoneCellSchema, type ZoneCell } from '../../../api/schema/v1/matrix.js';
import { maxLabelLength } from '../../../api/schema/v1/name-length.js';
import { zoneInput } from '../node-input.js';
import { pageInput, pageOf, pageOutput } from '../page.js';
import { defineTool, ToolError, type Tool } from '../tool.js';
import { withoutAbsent } from '../without-absent.js';

const nodeCellSchema = z.looseObject({
  from: z.string().describe('The observer'),
  to: z.string().describe('The node that it probes. Of a target: the plane'),
  state: z.enum(cellStates),
  rttNs: z.int().optional().describe('Nanoseconds, within 4.5 %'),
  channels: z
    .array(z.string())
    .optional()
    .describe('The planes and protocols that have this state; only of the worst'),
});
type NodeCell = z.infer<typeof nodeCellSchema>;

const input = z.strictObject({
  by: z
    .string()
    .min(1)
    .max(maxLabelLength)
    .default('zone')
    .describe('What a cell is of: zone, node, or a label that nodes are grouped by (groupBy)'),
  plane: z.enum(['host', 'endpoint', 'worst']).default('worst'),
  protocol: z.enum(['icmp', 'http', 'worst']).default('worst'),
  zone: zoneInput.optional().describe('Only the nodes of this zone; only by node'),
  toZone: zoneInput.optional().describe('How they reach the nodes of this zone; only with zone'),
  target: z
    .string()
    .min(1)
    .max(63)
    .optional()
    .describe('How this target is reached from each plane, instead of nodes'),
  show: z
    .enum(['failing', 'unknown', 'all'])
    .default('failing')
    .describe(
      'Which cells: failing also has lossy and slow ones; unknown also those of which nothing is known',
    ),
  ...pageInput(50, 300),
});
type Asked = z.output<typeof input>;

/** Who reaches whom, the worst first. */
export const matrixTool: Tool = defineTool({
  name: 'matrix',
  title: 'Who reaches whom',
  description:
    'Observers against nodes, zones against zones, or values of a label against each other. Tells the failing cells, the worst first, and counts the others; show=all tells every cell.',
  input,
  output: z.looseObject({
    at: timeSchema,
    plane: planeSchema.optional().describe('Absent: the worst of both'),
    protocol: protocolSchema.optional().describe('Absent: the worst of both'),
    counts: z
      .looseObject({})
      .describe('Cells or pairs by state, those too that are not told below'),
    zoneCells: z
      .array(zoneCellSchema)
      .optional()
      .describe('By zone, or by the values of the label'),
    nodeCells: z.array(nodeCellSchema).optional().describe('By node'),
    omittedObservers: z
      .int()
      .nonnegative()
      .optional()
      .describe('Observers of which nothing is counted here, for lack of room: ask zone by zone'),
    ...pageOutput,
  }),
  async run(asked, client) {
    check(asked);
    return asked.by === 'node' ? await byNode(asked, client) : await byZone(asked, client);
  },
});

function check({ by, zone, toZone, target, plane, protocol }: Asked): void {
  if (zone !== undefined && by !== 'node') {
    throw new ToolError('zone: expected only together with by=node');
  }
  if (toZone !== undefined && zone === undefined) {
    throw new ToolError('toZone: expected only together with zone');
  }
  const isNarrowed = toZone !== undefined || plane !== 'worst' || protocol !== 'worst';
  if (target !== undefined && by !== 'zone' && by !== 'node') {
    throw new ToolError('by: expected zone or node with target');
  }
  if (target !== undefined && isNarrowed) {
    throw new ToolError('target: expected without plane, protocol and toZone');
  }
}

async function byZone({ by, plane, protocol, target, show, ...asked }: Asked, client: Client) {
  const matrix =
    target === undefined
      ? await client.zoneMatrix({ by, plane, protocol })
      : await client.targetZoneMatrix(target);
  const share = ({ failing, lossy, slow, unknown, pairs }: ZoneCell) =>
    [failing, lossy + slow, unknown].map((count) => count / Math.max(pairs, 1));
  const isShown = (cell: ZoneCell) => {
    const [failing = 0, degraded = 0, unknown = 0] = share(cell);
    return show === 'all' || failing + degraded + (show === 'unknown' ? unknown : 0) > 0;
  };
  const byBadness = (one: ZoneCell, other: ZoneCell) => {
    const [these, those] = [share(one), share(other)];
    const at = these.findIndex((value, index) => value !== those[index]);
    return at < 0 ? 0 : (those[at] ?? 0) - (these[at] ?? 0);
  };
  const { items, ...page } = pageOf(matrix.cells.filter(isShown).sort(byBadness), asked);
  const sum = (field: 'pairs' | 'failing' | 'lossy' | 'slow' | 'unknown') =>
    matrix.cells.reduce((total, cell) => total + cell[field], 0);
  return {
    at: matrix.at,
    plane: matrix.plane,
    protocol: matrix.protocol,
    counts: {
      pairs: sum('pairs'),
      failing: sum('failing'),
      lossy: sum('lossy'),
      slow: sum('slow'),
      unknown: sum('unknown'),
    },
    zoneCells: [...items],
    ...page,
  };
}

async function byNode(asked: Asked, client: Client) {
  const { plane, protocol, zone, toZone, target, show } = asked;
  let at = '';
  const ask = async (rowsAfter: string | undefined) => {
    const body =
      target === undefined
        ? await client.nodeMatrix(withoutAbsent({ plane, protocol, zone, toZone, rowsAfter }))
        : await client.targetNodeMatrix({ target, ...withoutAbsent({ zone }) });
    at = body.at;
    return decodeMatrix(body);
  };
  const matrix = target === undefined ? await readPages(ask) : await ask(undefined);
  const states = shownStates(matrix);
  const counts: Record<string, number> = {};
  const shown: number[] = [];
  for (const [cell, byte] of states.entries()) {
    const state = byteToState(byte);
    counts[state] = (counts[state] ?? 0) + 1;
    if (isShown(byte, show)) shown.push(cell);
  }
  shown.sort((a, b) => badnessOfByte(states[b] ?? 0) - badnessOfByte(states[a] ?? 0));
  const { items, ...page } = pageOf(shown, asked);
  return {
    at,
    plane: matrix.plane,
    protocol: matrix.protocol,
    counts,
    nodeCells: items.map((cell) => nodeCell(matrix, states, cell)),
    ...(matrix.omittedRows > 0 && { omittedObservers: matrix.omittedRows }),
    ...page,
  };
}

function isShown(byte: number, show: Asked['show']): boolean {
  switch (byteToState(byte)) {
    case 'unreachable':
    case 'lossy-or-slow':
      return true;
    case 'no-report':
    case 'unknown':
      return show !== 'failing';
    case 'reachable':
    case 'excluded':
      return show === 'all';
  }
}

function nodeCell(
  { rows, columns, rtts, channels }: MatrixCells,
  states: Uint8Array,
  cell: number,
): NodeCell {
  const rttNs = byteToRttNs(rtts[cell] ?? 0);
  return {
    from: rows[Math.floor(cell / columns.length)] ?? '',
    to: columns[cell % columns.length] ?? '',
    state: byteToState(states[cell] ?? 0),
    ...(rttNs !== undefined && { rttNs }),
    ...(channels && { channels: byteToChannels(channels[cell] ?? 0).map(channelText) }),
  };
}
