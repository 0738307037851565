import { useMemo } from 'preact/hooks';
import type { ZoneMatrix as ZoneMatrixBody, ZoneCell } from '../../schema/v1/matrix.js';
import { useAgentBody, useKept } from '../client/use-agent-body.js';
import { fittingText, partWords } from '../matrix/fitting-text.js';
import type { Box, Grid } from '../matrix/grid.js';
import { MatrixCanvas } from '../matrix/matrix-canvas.js';
import { paintGlyph } from '../matrix/paint.js';
import type { Palette } from '../matrix/palette.js';
import { channelText } from '../../schema/v1/matrix-cells.js';
import { formatRtt } from '../model/format-rtt.js';
import { plainText } from '../model/plain-text.js';
import type { MatrixChoice, Route } from '../model/routes.js';
import { count } from '../model/verdict-words.js';
import { knownShares, zoneMatrixOf, zoneState, type ZoneMatrix } from '../model/zone-grid.js';
import { ClippedName } from './names.js';
import { Link, useNavigation } from './navigation.js';
import { choiceWords, MatrixSection } from './matrix-section.js';
import { NodeMatrixView } from './node-matrix.js';
import { Refusal } from './refusal.js';
import { TableScroller } from './table-scroller.js';

const refreshMs = 15_000;
const maxTableZones = 40;
/** However few pairs are reported, their part of a cell is this wide, in CSS pixels. */
const leastWidth = 6;
/** What a cell says of a zone of one node, and itself. */
const noPair = 'no pair';
/** What a plate behind a text is wider than the text, in CSS pixels. */
const platePadding = 8;

/** The matrix of zones by zones, whose cells open the nodes of their two zones, or of the values of a label. */
export function ZoneMatrixView({ choice }: { readonly choice: MatrixChoice }) {
  const navigation = useNavigation();
  const { plane, protocol, by } = choice;
  const query = new URLSearchParams({ by: by ?? 'zone', plane, protocol });
  const { body: newest, refusal } = useAgentBody<ZoneMatrixBody>(`/v1/matrix?${query}`, refreshMs);
  const body = useKept(newest);
  const grid = useMemo(() => {
    if (!body) return undefined;
    const matrix = zoneMatrixOf(body);
    const names = matrix.zones.map((zone) => zoneName(zone, matrix.by));
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
      ...(matrix.by === undefined && {
        open: (row: number, column: number) =>
          navigation.go(routeTo(matrix.zones[row], matrix.zones[column], choice)),
      }),
      paintCell: (
        context: CanvasRenderingContext2D,
        box: Box,
        palette: Palette,
        { row, column }: { readonly row: number; readonly column: number },
      ) => paintZoneCell(context, box, palette, matrix.cellOf(row, column)),
    } satisfies Grid & { matrix: ZoneMatrix };
  }, [body, plane, protocol]);

  // A cluster without zones has nothing to sum up.
  if (body && by === undefined && body.by === undefined && body.zones.length <= 1)
    return <NodeMatrixView choice={choice} />;
  return (
    <MatrixSection
      title={by === undefined ? 'Zones' : <>Values of {plainText(by)}</>}
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
            label={`${choiceWords(choice)}, ${count(grid.rows.length, grid.matrix.by === undefined ? 'zone' : 'value')} by ${grid.rows.length}`}
          />
        )}
      </div>
      {grid && <ZoneTable matrix={grid.matrix} choice={choice} />}
    </MatrixSection>
  );
}

function zoneName(zone: string, label = 'zone'): string {
  return plainText(zone === '' ? `(no ${label})` : zone);
}

function routeTo(from = '', to = '', matrix: MatrixChoice): Route {
  return { view: 'zones', from, to, matrix };
}

function cellWords(cell: ZoneCell | undefined): string {
  if (!cell || cell.pairs === 0) return noPair;
  const reported = cell.pairs - cell.unknown;
  if (reported <= 0) return `no report of ${count(cell.pairs, 'pair')}`;
  const parts = [
    ...(cell.failing > 0 ? [`${cell.failing.toLocaleString('en')} failing`] : []),
    ...(cell.lossy > 0 ? [`${cell.lossy.toLocaleString('en')} lossy`] : []),
    ...(cell.slow > 0 ? [`${cell.slow.toLocaleString('en')} slow`] : []),
  ];
  const state = parts.length > 0 ? parts.join(', ') : 'all reachable';
  // What nobody tells of neither works nor fails.
  const pairs =
    cell.unknown > 0
      ? `the ${count(reported, 'reported pair')} (${cell.unknown.toLocaleString('en')} unknown)`
      : count(cell.pairs, 'pair');
  const rtt = cell.p50Ns ? `; RTT p50 ${formatRtt(cell.p50Ns)}, p99 ${formatRtt(cell.p99Ns)}` : '';
  const { plane, protocol } = cell;
  const by = plane && protocol && parts.length > 0 ? ` by ${channelText({ plane, protocol })}` : '';
  return `${state} of ${pairs}${by}${rtt}`;
}

function describeCell({ by, zones, cellOf }: ZoneMatrix, row: number, column: number): string {
  const names = `${zoneName(zones[row] ?? '', by)} → ${zoneName(zones[column] ?? '', by)}`;
  return `${names}: ${cellWords(cellOf(row, column))}`;
}

/**
 * Paints the pairs that are reported, from the left; the rest stays hatched. Of these the share that
 * fails is a bar that is never too small to see. Nothing is green unless a pair is reachable.
 */
function paintZoneCell(
  context: CanvasRenderingContext2D,
  inner: Box,
  palette: Palette,
  cell: ZoneCell | undefined,
): void {
  const state = cell ? zoneState(cell) : 0;
  if (!cell || state === 0) {
    write(context, inner, palette.ink, [cell ? 'no report' : noPair], palette);
    return;
  }
  const { known, affected, reachable } = knownShares(cell);
  const width = Math.max(leastWidth, inner.width * known);
  context.fillStyle = palette.states[reachable > 0 ? 2 : state] ?? '';
  context.fillRect(inner.x, inner.y, width, inner.height);
  const rtt = cell.p50Ns ? formatRtt(cell.p50Ns) : '';
  const unknown = cell.unknown > 0 ? `${cell.unknown.toLocaleString('en')} unknown` : '';
  const isPlated = cell.unknown > 0;
  if (affected === 0) {
    const ink = isPlated ? palette.ink : (palette.stateInks[2] ?? '');
    write(context, inner, ink, [rtt, unknown], palette, { isPlated });
    return;
  }
  const least = reachable > 0 ? inner.height / 2 : inner.height;
  const bar = Math.min(inner.height, Math.max(least, inner.height * affected));
  context.fillStyle = palette.states[state] ?? '';
  context.fillRect(inner.x, inner.y + inner.height - bar, width, bar);
  const number = state === 4 ? cell.failing : cell.lossy + cell.slow;
  const badInk = palette.stateInks[state] ?? '';
  const isCovered = bar > inner.height * 0.75;
  const top = { ...inner, height: inner.height / 2 };
  const topInk = isPlated ? palette.ink : isCovered ? badInk : (palette.stateInks[2] ?? '');
  write(context, top, topInk, [rtt === '' ? unknown : rtt], palette, { isPlated });
  const line = { ...top, y: inner.y + inner.height / 2 };
  const glyph = { x: line.x + 2, y: line.y + line.height / 2 - 11, size: 20 };
  const hasGlyph = width > glyph.size;
  if (hasGlyph) paintGlyph(context, state, glyph, palette);
  const taken = hasGlyph ? glyph.size : 0;
  const beside = { ...line, x: line.x + taken, width: line.width - taken };
  context.font = cellFont(palette, 600);
  const words = fittingText(
    partWords(number, cell.pairs - cell.unknown),
    beside.width - (isPlated ? platePadding : 0) - 4,
    (text) => context.measureText(text).width,
  );
  const ink = isPlated ? palette.ink : badInk;
  write(context, beside, ink, [words], palette, { isPlated, weight: 600 });
}

function cellFont({ fontFamily }: Palette, weight: number): string {
  return `${weight} 12px ${fontFamily}`;
}

/**
 * Writes lines into a box.
 * @param how `isPlated` puts a plate behind each line, so that it can be read over a hatched ground
 */
function write(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: Box,
  ink: string,
  lines: readonly string[],
  palette: Palette,
  { weight = 400, isPlated = false } = {},
): void {
  const written = lines.filter((line) => line !== '');
  context.font = cellFont(palette, weight);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  written.forEach((line, at) => {
    const middle = y + (height * (at + 1)) / (written.length + 1);
    const plate = Math.min(width - 4, context.measureText(line).width + platePadding);
    context.fillStyle = palette.surface;
    if (isPlated) context.fillRect(x + (width - plate) / 2, middle - 8, plate, 16);
    context.fillStyle = ink;
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
  const { by, zones, states, cellOf } = matrix;
  const words = by === undefined ? 'Zones' : 'Values';
  const isWhole = zones.length <= maxTableZones;
  const shown = [...states.keys()].filter((at) => isWhole || states[at] === 3 || states[at] === 4);
  return (
    <details class="table-twin">
      <summary>The same as a table</summary>
      <TableScroller label={`${words} as a table`}>
        <table>
          <caption>
            {isWhole ? 'All pairs' : 'The pairs'} of {words.toLowerCase()}
            {isWhole ? '' : ' that are not well'}
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
              const to = <ClippedName of={zoneName(zones[column] ?? '', by)} />;
              return (
                <tr key={at}>
                  <th scope="row">
                    <ClippedName of={zoneName(zones[row] ?? '', by)} />
                  </th>
                  <td>
                    {by === undefined ? (
                      <Link to={routeTo(zones[row], zones[column], choice)}>{to}</Link>
                    ) : (
                      to
                    )}
                  </td>
                  <td>{cellWords(cellOf(row, column))}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </TableScroller>
    </details>
  );
}
