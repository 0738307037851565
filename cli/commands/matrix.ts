import { Option, type Command } from 'commander';
import type { Client } from '../../api/client/client.js';
import type { MatrixSubject, NodeMatrixOptions } from '../../api/client/v1-calls.js';
import type { Plane, Protocol } from '../../api/schema/v1/fields.js';
import { decodeMatrix, matrixPages, readPages } from '../../api/schema/v1/matrix-cells.js';
import type { ZoneMatrix } from '../../api/schema/v1/matrix.js';
import { clientFor, sizeOf, type GlobalOptions, type ProgramIo } from '../context.js';
import { UsageError } from '../errors.js';
import { explainQuery } from '../query-argument.js';
import { readTargetName } from '../target-argument.js';
import { writeTargetMatrix } from '../target-matrix.js';
import { paintFor } from '../view/colour.js';
import { countText } from '../view/age-text.js';
import { renderData } from '../view/data.js';
import { escapeText } from '../view/escape.js';
import { nodeMatrixCsv, nodeMatrixCsvHead, zoneMatrixCsv } from '../view/matrix-csv.js';
import { renderNodeMatrix } from '../view/node-matrix-text.js';
import { renderZoneMatrix } from '../view/zone-matrix-text.js';

interface MatrixOptions extends GlobalOptions {
  /** `zone`, `node` or the name of a label. */
  readonly by?: string;
  readonly plane?: Plane;
  readonly protocol?: Protocol;
  readonly zone?: string;
  readonly toZone?: string;
  readonly target?: string;
  readonly output: 'text' | 'json' | 'yaml' | 'csv';
}

/** Without `--by`, text output shows a cluster of one zone by node, up to this number of nodes. */
const fewNodes = 24;

const examples = `
Examples:
  meshprobe matrix                                   who reaches whom, zone by zone
  meshprobe matrix --by node                         node by node; the worst nodes if not all fit
  meshprobe matrix --by kernel                       by the values of a label that nodes are grouped by
  meshprobe matrix --zone a --to-zone b              the nodes of one zone, and how they reach another
  meshprobe matrix --plane endpoint --protocol http  one network, one protocol
  meshprobe matrix --by node -o csv > matrix.csv     one line a pair of nodes
  meshprobe matrix --target cluster-dns --by node    which nodes reach a target, from each plane

Rows are the observers, columns are the nodes that they probe. A cell shows the worst of the host and
the endpoint plane, by ICMP and by HTTP, and which it is; --plane and --protocol narrow it. Without
--by, text output shows a cluster of one zone and at most ${fewNodes} nodes by node. --by node asks the peers
for their whole rows for the next five minutes. If rows are old or missing, ask again after some
seconds.`;

/** `meshprobe matrix`: who reaches whom. */
export function addMatrixCommand(program: Command, io: ProgramIo): void {
  program
    .command('matrix')
    .description('show who reaches whom, by zone or by node')
    .option('--by <label>', 'zone, node, or a label that nodes are grouped by (default: zone)')
    .addOption(
      new Option('--plane <plane>', 'host or endpoint (default: the worst of both)').choices([
        'host',
        'endpoint',
      ]),
    )
    .addOption(
      new Option('--protocol <protocol>', 'icmp or http (default: the worst of both)').choices([
        'icmp',
        'http',
      ]),
    )
    .option('--zone <zone>', 'only the nodes of this zone, by node')
    .option('--to-zone <zone>', 'how they reach the nodes of this zone')
    .option(
      '--target <target>',
      'how this target is reached, instead of the nodes (see meshprobe targets)',
      readTargetName,
    )
    .addOption(
      new Option('-o, --output <form>', 'text, json, yaml or csv')
        .choices(['text', 'json', 'yaml', 'csv'])
        .default('text'),
    )
    .addHelpText('after', examples)
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<MatrixOptions>();
      const { plane = 'worst', protocol = 'worst', zone, toZone, target, output } = options;
      if (toZone !== undefined && zone === undefined) {
        throw new UsageError('--to-zone: expected only together with --zone');
      }
      if (zone !== undefined && options.by !== undefined && options.by !== 'node') {
        throw new UsageError(`--zone: expected only by node, got --by ${escapeText(options.by)}`);
      }
      if (target !== undefined) {
        await writeTargetMatrix(clientFor(options, io), { ...options, target }, io, fewNodes);
        return;
      }
      const by = zone === undefined ? options.by : 'node';
      const client = clientFor(options, io);
      const zones = by === 'node' ? undefined : await askByZone(client, { plane, protocol }, by);
      const isSmall = zones && by === undefined && output === 'text' && isSmallCluster(zones);
      if (zones && !isSmall) {
        if (output === 'csv') for (const line of zoneMatrixCsv(zones)) io.stdout.write(line);
        else if (output === 'text')
          io.stdout.write(renderZoneMatrix(zones, paintFor(io), sizeOf(io.stdout).columns));
        else io.stdout.write(await renderData(zones, output));
        return;
      }
      const query: NodeMatrixOptions = {
        plane,
        protocol,
        ...(zone !== undefined && { zone }),
        ...(toZone !== undefined && { toZone }),
      };
      await writeByNode(client, query, output, io);
    });
}

async function writeByNode(
  client: Client,
  query: NodeMatrixOptions,
  output: MatrixOptions['output'],
  io: ProgramIo,
): Promise<void> {
  const askFrom = (rowsAfter: string | undefined) =>
    client
      .nodeMatrix({ ...query, ...(rowsAfter !== undefined && { rowsAfter }) })
      .catch(explainQuery);
  const ask = async (rowsAfter: string | undefined) => decodeMatrix(await askFrom(rowsAfter));
  switch (output) {
    case 'text': {
      const matrix = await readPages(ask);
      io.stdout.write(renderNodeMatrix(matrix, { paint: paintFor(io), ...sizeOf(io.stdout) }));
      return;
    }
    case 'csv': {
      io.stdout.write(nodeMatrixCsvHead());
      for await (const page of matrixPages(ask)) {
        for (const lines of nodeMatrixCsv(page)) io.stdout.write(lines);
      }
      return;
    }
    case 'json':
    case 'yaml': {
      const body = await askFrom(undefined);
      io.stdout.write(await renderData(body, output));
      const { omittedRows = 0 } = body;
      if (omittedRows === 0) return;
      io.stderr.write(
        `meshprobe: ${countText(omittedRows, 'more observer')} left out for lack of room: --zone ZONE, or -o csv\n`,
      );
    }
  }
}

/** @throws UsageError if nodes are not grouped by the label */
async function askByZone(
  client: Client,
  subject: MatrixSubject,
  by: string | undefined,
): Promise<ZoneMatrix> {
  return await client
    .zoneMatrix({ ...subject, ...(by !== undefined && { by }) })
    .catch(explainQuery);
}

function isSmallCluster({ zones, cells }: ZoneMatrix): boolean {
  const pairs = cells.reduce((sum, cell) => sum + cell.pairs, 0);
  return zones.length <= 1 && pairs <= fewNodes * fewNodes;
}
