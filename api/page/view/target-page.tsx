import { useMemo } from 'preact/hooks';
import type { NodeMatrix, ZoneCell, ZoneMatrix } from '../../schema/v1/matrix.js';
import { byteToRttNs, byteToState } from '../../schema/v1/matrix-bytes.js';
import type { TargetDetail } from '../../schema/v1/targets.js';
import { useAgentBody } from '../client/use-agent-body.js';
import { formatRtt } from '../model/format-rtt.js';
import { decodeNodeMatrix } from '../model/matrix-cells.js';
import { plainText } from '../model/plain-text.js';
import type { Route } from '../model/routes.js';
import { sortRows } from '../model/sort.js';
import { factsOfPlane, targetPlanes } from '../model/target-words.js';
import { Glyph, glyphOf } from './glyph.js';
import { ClippedName, NodeLink, useShortText } from './names.js';
import { useNavigation } from './navigation.js';
import { Refusal } from './refusal.js';
import { SortableTable, type Column } from './sortable-table.js';
import { TableScroller } from './table-scroller.js';

const refreshMs = 5000;

type TargetRoute = Extract<Route, { readonly view: 'target' }>;

/** One target: what is known of it from each plane, by zone, and by node. */
export function TargetPage({ route }: { readonly route: TargetRoute }) {
  const { name } = route;
  const path = encodeURIComponent(name);
  const { body: target, refusal } = useAgentBody<TargetDetail>(`/v1/targets/${path}`, refreshMs);
  return (
    <article class="page" aria-labelledby="target">
      <header class="node-head">
        <Glyph kind={glyphOf(target?.verdict)} />
        <h1 id="target" tabIndex={-1}>
          <bdi class="name">{plainText(name)}</bdi>
        </h1>
        <p class="node-verdict">
          {target ? (
            <>
              <b>{target.verdict}</b> · {target.kind} · {plainText(target.probe)}
            </>
          ) : (
            ' '
          )}
        </p>
      </header>
      {refusal !== undefined && <Refusal words={refusal} />}
      {target && (
        <>
          {targetPlanes(target).map(([plane, ofPlane]) => (
            <PlaneSection key={plane} plane={plane} facts={factsOfPlane(ofPlane, target.at)} />
          ))}
          <Zones path={path} />
          <Nodes path={path} route={route} />
        </>
      )}
    </article>
  );
}

interface PlaneSectionProps {
  readonly plane: string;
  readonly facts: readonly (readonly [title: string, text: string])[];
}

function PlaneSection({ plane, facts }: PlaneSectionProps) {
  const short = useShortText();
  return (
    <section aria-labelledby={`plane-${plane}`}>
      <h2 id={`plane-${plane}`}>From the {plane} plane</h2>
      <TableScroller label={`Facts, ${plane} plane`}>
        <table class="paths-table">
          <tbody>
            {facts.map(([title, text]) => (
              <tr key={title}>
                <th scope="row">{title}</th>
                <td>{short(text)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </section>
  );
}

const zoneColumns: readonly Column<ZoneCell>[] = [
  {
    id: 'zone',
    title: 'Zone',
    value: ({ from }) => from,
    cell: ({ from }) => (from === '' ? 'no zone' : <ClippedName of={from} />),
  },
  { id: 'plane', title: 'Plane', value: ({ to }) => to, cell: ({ to }) => plainText(to) },
  ...(
    [
      ['Nodes', 'pairs'],
      ['Failing', 'failing'],
      ['Lossy', 'lossy'],
      ['Slow', 'slow'],
      ['Unknown', 'unknown'],
    ] as const
  ).map(([title, field]): Column<ZoneCell> => ({
    id: field,
    title,
    isNumber: true,
    value: (cell) => cell[field],
    cell: (cell) => cell[field].toLocaleString('en'),
  })),
];

function Zones({ path }: { readonly path: string }) {
  const { body } = useAgentBody<ZoneMatrix>(`/v1/matrix?target=${path}`, refreshMs);
  const cells = useMemo(() => sortRows(body?.cells ?? [], ({ from }) => from, false), [body]);
  if (!body || body.zones.length < 2) return null;
  return (
    <section aria-labelledby="target-zones">
      <h2 id="target-zones">By zone</h2>
      <SortableTable
        label="Table of zones"
        class="paths-table"
        columns={zoneColumns}
        rows={cells}
        keyOf={({ from, to }) => JSON.stringify([from, to])}
      />
    </section>
  );
}

/** What one node sees of the target, from each plane. */
interface NodeRow {
  readonly node: string;
  readonly isStale: boolean;
  readonly cells: readonly { readonly state: string; readonly rttNs: number | undefined }[];
}

const badness = ['unreachable', 'lossy-or-slow', 'unknown', 'no-report', 'reachable', 'excluded'];

function Nodes({ path, route }: { readonly path: string; readonly route: TargetRoute }) {
  const navigation = useNavigation();
  const { body } = useAgentBody<NodeMatrix>(`/v1/matrix?by=node&target=${path}`, 3 * refreshMs);
  const rows = useMemo(() => (body ? rowsOf(body) : undefined), [body]);
  const columns = useMemo(() => nodeColumns(body?.columns ?? []), [body]);
  if (!rows) return null;
  return (
    <section aria-labelledby="target-nodes">
      <h2 id="target-nodes">By node</h2>
      <SortableTable
        label="Table of nodes"
        class="paths-table"
        columns={columns}
        rows={rows}
        keyOf={({ node }) => node}
        sort={route.sort}
        onSort={(sort) => navigation.replace({ ...route, sort })}
      />
    </section>
  );
}

function nodeColumns(planes: readonly string[]): readonly Column<NodeRow>[] {
  return [
    {
      id: 'name',
      title: 'Node',
      value: ({ node }) => node,
      cell: ({ node }) => <NodeLink name={node} isClipped />,
    },
    ...planes.map((plane, at): Column<NodeRow> => ({
      id: plane,
      title: plainText(plane),
      // Those that do not answer come before the fastest ones.
      value: ({ cells }) => {
        const { state = '', rttNs = 0 } = cells[at] ?? {};
        return state === 'reachable' ? rttNs : badness.indexOf(state) - badness.length;
      },
      cell: ({ cells, isStale }) => {
        const { state = 'no-report', rttNs } = cells[at] ?? {};
        return (
          <>
            <Glyph kind={glyphOf(isStale ? 'unknown' : glyphWord(state))} />{' '}
            {state === 'reachable' && rttNs !== undefined ? formatRtt(rttNs) : words(state)}
            {isStale && <span class="muted"> stale</span>}
          </>
        );
      },
      class: 'nowrap',
    })),
  ];
}

function glyphWord(state: string): string {
  return state === 'lossy-or-slow' ? 'degraded' : state;
}

function words(state: string): string {
  return state.replaceAll('-', ' ');
}

/** The worst nodes first. */
function rowsOf(body: NodeMatrix): readonly NodeRow[] {
  const { rows, columns, stale, states, rtts } = decodeNodeMatrix(body);
  const all = rows.map((node, row): NodeRow => ({
    node,
    isStale: stale[row] ?? false,
    cells: columns.map((_, column) => ({
      state: byteToState(states[row * columns.length + column] ?? 0),
      rttNs: byteToRttNs(rtts[row * columns.length + column] ?? 0),
    })),
  }));
  const byName = sortRows(all, ({ node }) => node, false);
  return sortRows(
    byName,
    ({ cells }) => Math.min(...cells.map(({ state }) => badness.indexOf(state))),
    false,
  );
}
