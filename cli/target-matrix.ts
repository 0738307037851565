import type { Client } from '../api/client/client.js';
import { decodeMatrix } from '../api/schema/v1/matrix-cells.js';
import { sizeOf, type ProgramIo } from './context.js';
import { UsageError } from './errors.js';
import { explainQuery } from './query-argument.js';
import { explainTarget } from './target-argument.js';
import { paintFor } from './view/colour.js';
import { renderData } from './view/data.js';
import { escapeText } from './view/escape.js';
import { nodeMatrixCsv, nodeMatrixCsvHead, zoneMatrixCsv } from './view/matrix-csv.js';
import { renderTargetNodes, renderTargetZones } from './view/target-matrix-text.js';

export interface TargetMatrixOptions {
  readonly target: string;
  readonly by?: string;
  readonly plane?: string;
  readonly protocol?: string;
  readonly zone?: string;
  readonly toZone?: string;
  readonly output: 'text' | 'json' | 'yaml' | 'csv';
}

/**
 * Prints how the nodes, or those of each zone, reach one target.
 * @throws UsageError if an option does not go with a target
 */
export async function writeTargetMatrix(
  client: Client,
  options: TargetMatrixOptions,
  io: ProgramIo,
  fewNodes: number,
): Promise<void> {
  const { target, zone, output } = options;
  for (const [flag, value] of Object.entries({
    '--plane': options.plane,
    '--protocol': options.protocol,
    '--to-zone': options.toZone,
  })) {
    if (value === undefined) continue;
    throw new UsageError(`${flag}: expected only without --target, which shows both planes`);
  }
  if (options.by !== undefined && options.by !== 'zone' && options.by !== 'node') {
    throw new UsageError(
      `--by: expected zone or node with --target, got ${escapeText(options.by)}`,
    );
  }
  const screen = { paint: paintFor(io), ...sizeOf(io.stdout) };
  const by = zone === undefined ? options.by : 'node';
  if (by !== 'node') {
    const matrix = await client.targetZoneMatrix(target).catch(explainTarget);
    const nodes = matrix.cells.reduce((most, { pairs }) => Math.max(most, pairs), 0);
    const isSmall = by === undefined && output === 'text' && matrix.zones.length === 1;
    if (!isSmall || nodes > fewNodes) {
      if (output === 'csv') for (const line of zoneMatrixCsv(matrix)) io.stdout.write(line);
      else if (output === 'text') io.stdout.write(renderTargetZones(target, matrix, screen));
      else io.stdout.write(await renderData(matrix, output));
      return;
    }
  }
  const query = { target, ...(zone !== undefined && { zone }) };
  const matrix = await client.targetNodeMatrix(query).catch(explainQuery).catch(explainTarget);
  if (output === 'csv') {
    io.stdout.write(nodeMatrixCsvHead());
    for (const lines of nodeMatrixCsv(decodeMatrix(matrix))) io.stdout.write(lines);
  } else if (output === 'text') {
    io.stdout.write(renderTargetNodes(target, decodeMatrix(matrix), screen));
  } else io.stdout.write(await renderData(matrix, output));
}
