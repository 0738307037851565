import { useMemo } from 'preact/hooks';
import type { ZoneMatrix as ZoneMatrixBody, ZoneCell } from '../../schema/v1/matrix.js';
import { useAgentBody, useKept } from '../client/use-agent-body.js';
import type { Box, Grid } from '../matrix/grid.js';
import { MatrixCanvas } from '../matrix/matrix-canvas.js';
import { paintGlyph } from '../matrix/paint.js';
import type { Palette } from '../matrix/palette.js';
import { channelText } from '../../schema/v1/matrix-cells.js';
import { formatRtt } from '../model/format-rtt.js';
import { plainText } from '../model/plain-text.js';
import type { MatrixChoice, Route } from '../model/routes.js';
import { count } from '../model/verdict-words.js';
import { zoneMatrixOf, zoneState, type ZoneMatrix } from '../model/zone-grid.js';
import { Link, useNavigation } from './navigation.js';
import { choiceWords, MatrixSection } from './matrix-section.js';
import { NodeMatrixView } from './node-matrix.js';
import { Refusal } from './refusal.js';

const refreshMs = 15_000;
const maxTableZones = 40;

/** The matrix of zones by zones. A cell opens the nodes of its two zones. */
export function ZoneMatrixView({ choice }: { readonly choice: MatrixChoice }) {
  const navigation = useNavigation();
  const { plane, protocol } = choice;
  const { body: newest, refusal } = useAgentBody<ZoneMatrixBody>(
    `/v1/matrix?by=zone&plane=${plane}&protocol=${protocol}`,
    refreshMs,
  );
  const body = useKept(newest);
  const grid = useMemo(() => {
    if (!body) return undefined;
    const matrix = zoneMatrixOf(body);
    const names = matrix.zones.map(zoneName);
    return {
      matrix,
      rows: matrix.zones,
      columns: matrix.zones,
      rowLabels: names,
      columnLabels: names,
      states: matrix.states,
      rtts: undefined,
      canZoom: false,
      cellSize: (width: number) => ({
        width: Math.min(150, Math.max(58, width / Math.max(1, names.length))),
        height: 50,
      }),
      describe: (row: number, column: number) => describeCell(matrix, row, column),
      open: (row: number, column: number) =>
        navigation.go(routeTo(matrix.zones[row], matrix.zones[column], choice)),
      paintCell: (
        context: CanvasRenderingContext2D,
        box: Box,
        palette: Palette,
        { row, column }: { readonly row: number; readonly column: number },
      ) => paintZoneCell(context, box, palette, matrix.cellOf(row, column)),
    } satisfies Grid & { matrix: ZoneMatrix };
  }, [body, plane, protocol]);

  // A cluster without zones has nothing to sum up.
  if (body && body.zones.length <= 1) return <NodeMatrixView choice={choice} />;
  return (
    <MatrixSection
      title="Zones"
      choice={choice}
      unreported={body?.unreported}
      isShown={grid !== undefined}
      controls={
        <Link class="button" to={{ view: 'matrix', matrix: choice }}>
          All nodes
        </Link>
      }
    >
      {refusal !== undefined && <Refusal words={refusal} />}
      <div class={`matrix-place${newest ? '' : ' is-waiting'}`}>
        {grid && (
          <MatrixCanvas
            grid={grid}
            label={`${choiceWords(choice)}, ${count(grid.rows.length, 'zone')} by ${grid.rows.length}`}
          />
        )}
      </div>
      {grid && <ZoneTable matrix={grid.matrix} choice={choice} />}
    </MatrixSection>
  );
}

function zoneName(zone: string): string {
  return zone === '' ? '(no zone)' : plainText(zone);
}

function routeTo(from = '', to = '', matrix: MatrixChoice): Route {
  return { view: 'zones', from, to, matrix };
}

function cellWords(cell: ZoneCell | undefined): string {
  if (!cell || cell.pairs === 0) return 'no report';
  const parts = [
    ...(cell.failing > 0 ? [`${cell.failing.toLocaleString('en')} failing`] : []),
    ...(cell.lossy > 0 ? [`${cell.lossy.toLocaleString('en')} lossy`] : []),
    ...(cell.slow > 0 ? [`${cell.slow.toLocaleString('en')} slow`] : []),
    ...(cell.unknown > 0 ? [`${cell.unknown.toLocaleString('en')} unknown`] : []),
  ];
  const state = parts.length > 0 ? parts.join(', ') : 'all reachable';
  const rtt = cell.p50Ns ? `; RTT p50 ${formatRtt(cell.p50Ns)}, p99 ${formatRtt(cell.p99Ns)}` : '';
  const { plane, protocol } = cell;
  const by = plane && protocol && parts.length > 0 ? ` by ${channelText({ plane, protocol })}` : '';
  return `${state} of ${count(cell.pairs, 'pair')}${by}${rtt}`;
}

function describeCell({ zones, cellOf }: ZoneMatrix, row: number, column: number): string {
  const names = `${zoneName(zones[row] ?? '')} → ${zoneName(zones[column] ?? '')}`;
  return `${names}: ${cellWords(cellOf(row, column))}`;
}

/**
 * Paints the share that fails as a bar that is never too small to see. The unknown share stays
 * hatched.
 */
function paintZoneCell(
  context: CanvasRenderingContext2D,
  inner: Box,
  palette: Palette,
  cell: ZoneCell | undefined,
): void {
  const state = cell ? zoneState(cell) : 0;
  if (!cell || state === 0) {
    write(context, inner, palette.ink, ['no report'], palette);
    return;
  }
  const known = (cell.pairs - cell.unknown) / Math.max(1, cell.pairs);
  context.fillStyle = palette.states[2] ?? '';
  context.fillRect(
    inner.x,
    inner.y,
    Math.max(inner.width * 0.3, inner.width * known),
    inner.height,
  );
  const ink = palette.stateInks[2] ?? '';
  const rtt = cell.p50Ns ? formatRtt(cell.p50Ns) : '';
  const affected = state === 4 ? cell.failing : state === 3 ? cell.lossy + cell.slow : 0;
  if (affected === 0) {
    write(context, inner, ink, [rtt, cell.unknown > 0 ? `${cell.unknown} unknown` : ''], palette);
    return;
  }
  const bar = Math.min(
    inner.height,
    Math.max(inner.height / 2, (inner.height * affected) / cell.pairs),
  );
  context.fillStyle = palette.states[state] ?? '';
  context.fillRect(inner.x, inner.y + inner.height - bar, inner.width, bar);
  const badInk = palette.stateInks[state] ?? '';
  const isCovered = bar > inner.height * 0.75;
  const line = { ...inner, y: inner.y + inner.height / 2, height: inner.height / 2 };
  write(context, { ...inner, height: inner.height / 2 }, isCovered ? badInk : ink, [rtt], palette);
  paintGlyph(
    context,
    state,
    { x: line.x + 2, y: line.y + line.height / 2 - 11, size: 20 },
    palette,
  );
  const words =
    inner.width > 100
      ? `${affected.toLocaleString('en')} of ${cell.pairs.toLocaleString('en')}`
      : String(affected);
  write(
    context,
    { ...line, x: line.x + 14, width: line.width - 14 },
    badInk,
    [words],
    palette,
    600,
  );
}

function write(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: Box,
  ink: string,
  lines: readonly string[],
  { fontFamily }: Palette,
  weight = 400,
): void {
  const written = lines.filter((line) => line !== '');
  context.fillStyle = ink;
  context.font = `${weight} 12px ${fontFamily}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  written.forEach((line, at) => {
    const middle = y + (height * (at + 1)) / (written.length + 1);
    context.fillText(line, x + width / 2, middle, width - 4);
  });
}

/** The matrix as a table, for screen readers and for copying. */
function ZoneTable({
  matrix,
  choice,
}: {
  readonly matrix: ZoneMatrix;
  readonly choice: MatrixChoice;
}) {
  const { zones, states, cellOf } = matrix;
  const isWhole = zones.length <= maxTableZones;
  const shown = [...states.keys()].filter((at) => isWhole || states[at] === 3 || states[at] === 4);
  return (
    <details class="table-twin">
      <summary>The same as a table</summary>
      <div class="table-scroller" tabIndex={0} role="region" aria-label="Zones as a table">
        <table>
          <caption>
            {isWhole ? 'All pairs of zones' : 'The pairs of zones that are not well'}
          </caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">To</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((at) => {
              const row = Math.floor(at / zones.length);
              const column = at % zones.length;
              return (
                <tr key={at}>
                  <th scope="row">{zoneName(zones[row] ?? '')}</th>
                  <td>
                    <Link to={routeTo(zones[row], zones[column], choice)}>
                      {zoneName(zones[column] ?? '')}
                    </Link>
                  </td>
                  <td>{cellWords(cellOf(row, column))}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </details>
  );
}
