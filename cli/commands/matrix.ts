import { Option, type Command } from 'commander';
import type { Plane, Protocol } from '../../api/schema/v1/fields.js';
import type { NodeMatrix, ZoneMatrix } from '../../api/schema/v1/matrix.js';
import { clientFor, type GlobalOptions, type ProgramIo } from '../context.js';
import { paintFor } from '../view/colour.js';
import { renderData } from '../view/data.js';
import { nodeMatrixCsv, zoneMatrixCsv } from '../view/matrix-csv.js';
import { renderNodeMatrix } from '../view/node-matrix-text.js';
import { renderZoneMatrix } from '../view/zone-matrix-text.js';

interface MatrixOptions extends GlobalOptions {
  readonly by?: 'zone' | 'node';
  readonly plane: Plane;
  readonly protocol: Protocol;
  readonly output: 'text' | 'json' | 'yaml' | 'csv';
}

/** Without `--by`, text output shows a cluster of one zone by node, up to this number of nodes. */
const fewNodes = 24;

const examples = `
Examples:
  meshprobe matrix                                   who reaches whom, zone by zone
  meshprobe matrix --by node                         node by node; the worst nodes if not all fit
  meshprobe matrix --plane endpoint --protocol http  another network, another protocol
  meshprobe matrix --by node -o csv > matrix.csv     one line a pair of nodes

Rows are the observers, columns are the nodes that they probe. Without --by, text output shows a
cluster of one zone and at most ${fewNodes} nodes by node. --by node asks the peers for their whole rows for
the next five minutes. If rows are old or missing, ask again after some seconds.`;

/** `meshprobe matrix`: who reaches whom. */
export function addMatrixCommand(program: Command, io: ProgramIo): void {
  program
    .command('matrix')
    .description('show who reaches whom, by zone or by node')
    .addOption(new Option('--by <what>', 'zone or node (default: zone)').choices(['zone', 'node']))
    .addOption(
      new Option('--plane <plane>', 'host or endpoint')
        .choices(['host', 'endpoint'])
        .default('host'),
    )
    .addOption(
      new Option('--protocol <protocol>', 'icmp or http').choices(['icmp', 'http']).default('icmp'),
    )
    .addOption(
      new Option('-o, --output <form>', 'text, json, yaml or csv')
        .choices(['text', 'json', 'yaml', 'csv'])
        .default('text'),
    )
    .addHelpText('after', examples)
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<MatrixOptions>();
      const { by, plane, protocol, output } = options;
      const client = clientFor(options, io);
      const zones = by === 'node' ? undefined : await client.zoneMatrix({ plane, protocol });
      const isSmall = zones && by === undefined && output === 'text' && isSmallCluster(zones);
      const matrix = zones && !isSmall ? zones : await client.nodeMatrix({ plane, protocol });
      if (output === 'csv') {
        for (const lines of csvOf(matrix)) io.stdout.write(lines);
      } else if (output !== 'text') {
        io.stdout.write(await renderData(matrix, output));
      } else {
        const { rows, columns } = io.stdout;
        const paint = paintFor(io);
        io.stdout.write(
          isZoneMatrix(matrix)
            ? renderZoneMatrix(matrix, paint)
            : renderNodeMatrix(matrix, { paint, rows, columns }),
        );
      }
    });
}

function isSmallCluster({ zones, cells }: ZoneMatrix): boolean {
  const pairs = cells.reduce((sum, cell) => sum + cell.pairs, 0);
  return zones.length <= 1 && pairs <= fewNodes * fewNodes;
}

function csvOf(matrix: ZoneMatrix | NodeMatrix): Generator<string> {
  return isZoneMatrix(matrix) ? zoneMatrixCsv(matrix) : nodeMatrixCsv(matrix);
}

function isZoneMatrix(matrix: ZoneMatrix | NodeMatrix): matrix is ZoneMatrix {
  return 'cells' in matrix;
}
