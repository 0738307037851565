import { useMemo, useState } from 'preact/hooks';
import { useAgentAnswer, useKept } from '../client/use-agent-body.js';
import { byteToRttNs } from '../../schema/v1/matrix-bytes.js';
import { readPages } from '../../schema/v1/matrix-cells.js';
import type { NodeMatrix as NodeMatrixBody } from '../../schema/v1/matrix.js';
import type { Grid } from '../matrix/grid.js';
import { labelledCell } from '../matrix/layout.js';
import { MatrixCanvas } from '../matrix/matrix-canvas.js';
import { formatAge } from '../model/format-time.js';
import { formatRtt } from '../model/format-rtt.js';
import {
  decodeNodeMatrix,
  excluded,
  inNaturalOrder,
  rttRangeOf,
  withShownStates,
  type NodeMatrix,
} from '../model/matrix-cells.js';
import { plainText } from '../model/plain-text.js';
import type { MatrixChoice } from '../model/routes.js';
import { count } from '../model/verdict-words.js';
import { channelWords } from '../model/channel-words.js';
import { choiceWords, MatrixSection, stateWord } from './matrix-section.js';
import { Name, useShortText } from './names.js';
import { Link, useNavigation } from './navigation.js';
import { NodeMatrixTable } from './node-matrix-table.js';
import { Refusal } from './refusal.js';

const refreshMs = 15_000;
const largestFirstCell = 24;

interface NodeMatrixProps {
  readonly choice: MatrixChoice;
  /**
   * Shows observers of the first zone and nodes of the second. Without zones it shows all nodes.
   */
  readonly zones?: readonly [string, string];
  /** True if it is a view of its own, with a link back. */
  readonly isWhole?: boolean;
}

/** The matrix of observers by nodes. */
export function NodeMatrixView({ choice, zones, isWhole = false }: NodeMatrixProps) {
  const navigation = useNavigation();
  const short = useShortText();
  const [showsRtt, setShowsRtt] = useState(false);
  const { plane, protocol } = choice;
  const [fromZone, toZone] = zones ?? [];
  const key = JSON.stringify([plane, protocol, zones]);
  const { body: newest, refusal } = useAgentAnswer(key, refreshMs, async (client, signal) => {
    const query = new URLSearchParams({ by: 'node', plane, protocol });
    if (fromZone !== undefined && toZone !== undefined) {
      query.set('zone', fromZone);
      query.set('toZone', toZone);
    }
    const matrix = await readPages(async (rowsAfter) => {
      if (rowsAfter !== undefined) query.set('rowsAfter', rowsAfter);
      return decodeNodeMatrix(await client.get<NodeMatrixBody>(`/v1/matrix?${query}`, signal));
    });
    return withShownStates(inNaturalOrder(matrix));
  });

  const matrix = useKept(newest);
  const grid = useMemo(
    () =>
      matrix &&
      ({
        rows: matrix.rows,
        columns: matrix.columns,
        rowLabels: matrix.rows.map(short),
        columnLabels: matrix.columns.map(short),
        states: matrix.shown,
        rtts: showsRtt ? matrix.rtts : undefined,
        canZoom: true,
        cellSize: (width: number, height: number) => {
          const across = Math.min(largestFirstCell, width / Math.max(1, matrix.columns.length));
          // If there is room for names, the reader scrolls down. If not, the whole matrix fits the
          // screen.
          const down = height / Math.max(1, matrix.rows.length);
          const size = across >= labelledCell ? across : Math.min(across, down);
          return { width: size, height: size };
        },
        describe: (row: number, column: number) => describeCell(matrix, row, column, short),
        open: (_row: number, column: number) =>
          navigation.go({ view: 'node', name: matrix.columns[column] ?? '' }),
      } satisfies Grid),
    [matrix, showsRtt, short],
  );

  const emptyZone =
    zones && matrix && emptyZoneOf(zones, [matrix.rows.length, matrix.columns.length]);
  return (
    <MatrixSection
      title={
        zones ? (
          <>
            Nodes of <Name of={zones[0] || '(no zone)'} /> to nodes of{' '}
            <Name of={zones[1] || '(no zone)'} />
          </>
        ) : (
          'All nodes'
        )
      }
      choice={choice}
      unreported={matrix?.unreported}
      isShown={grid !== undefined && emptyZone === undefined}
      legend={showsRtt && matrix && <RttLegend matrix={matrix} />}
      isView={zones !== undefined || isWhole}
      controls={
        <>
          {(zones ?? isWhole) && (
            <Link class="crumb" to={{ view: 'overview', matrix: choice }}>
              ← {choice.by === undefined ? 'Zones' : plainText(choice.by)}
            </Link>
          )}
          {zones && zones[0] !== zones[1] && (
            <Link
              class="button"
              to={{ view: 'zones', from: zones[1], to: zones[0], matrix: choice }}
            >
              Other direction
            </Link>
          )}
          <label class="check">
            <input
              type="checkbox"
              checked={showsRtt}
              onChange={(event) => setShowsRtt(event.currentTarget.checked)}
            />
            Shade by RTT
          </label>
        </>
      }
    >
      {refusal !== undefined && <Refusal words={refusal} />}
      {matrix && matrix.omittedRows > 0 && (
        <p class="omitted">
          {count(matrix.omittedRows, 'more observer')} left out for lack of room: open a pair of
          zones, or see <code>meshprobe matrix --by node -o csv</code>.
        </p>
      )}
      {emptyZone !== undefined && (
        <p>
          There is no node in zone <Name of={emptyZone || '(no zone)'} />.
        </p>
      )}
      <div class={`matrix-place${newest ? '' : ' is-waiting'}`}>
        {grid && emptyZone === undefined && (
          <MatrixCanvas
            grid={grid}
            label={`${choiceWords(choice)}, ${count(grid.rows.length, 'observer')} by ${count(grid.columns.length, 'node')}`}
          />
        )}
      </div>
      {matrix && emptyZone === undefined && <NodeMatrixTable matrix={matrix} />}
    </MatrixSection>
  );
}

/** What the shades mean: from the shortest to the longest round trip of the matrix. */
function RttLegend({ matrix: { rtts } }: { readonly matrix: NodeMatrix }) {
  const [shortest, longest] = useMemo(() => rttRangeOf(rtts), [rtts]);
  if (shortest === undefined || longest === undefined) return <li>no round trip is told</li>;
  return (
    <li class="rtt-legend">
      reachable, by RTT: about {formatRtt(roundRtt(shortest))}
      <span class="rtt-shades" aria-hidden="true" />
      {formatRtt(roundRtt(longest))}
    </li>
  );
}

/** The first of two zones without a node; undefined if both have some. */
function emptyZoneOf(
  zones: readonly [string, string],
  counts: readonly [number, number],
): string | undefined {
  return zones.find((_, at) => counts[at] === 0);
}

function describeCell(
  matrix: NodeMatrix,
  row: number,
  column: number,
  short: (name: string) => string,
): string {
  const at = row * matrix.columns.length + column;
  const state = matrix.states[at] ?? 0;
  const isStale = matrix.stale[row] === true && state !== excluded;
  const names = `${short(matrix.rows[row] ?? '')} → ${short(matrix.columns[column] ?? '')}`;
  const rttNs = byteToRttNs(matrix.rtts[at] ?? 0);
  const rtt = rttNs === undefined ? '' : `, RTT about ${formatRtt(roundRtt(rttNs))}`;
  const age = matrix.ages[row];
  const reported = typeof age === 'number' ? `, reported ${formatAge(age * 1000)} ago` : '';
  const words = `${stateWord(state)}${channelWords(matrix, at)}${rtt}${reported}`;
  return isStale ? `${names}: not known, the row is stale (was ${words})` : `${names}: ${words}`;
}

/** A byte holds no more than two digits of a round trip. */
function roundRtt(ns: number): number {
  return Number(ns.toPrecision(2));
}
