import { useMemo } from 'preact/hooks';
import { useAgentState } from '../client/context.js';
import { useAgentBody } from '../client/use-agent-body.js';
import { useIsShownPlane } from '../client/use-shown-planes.js';
import type { Plane, Protocol } from '../../schema/v1/fields.js';
import type { NodeEntry, NodePage, OwnPath } from '../../schema/v1/nodes.js';
import { notProbedText } from '../../schema/v1/not-probed.js';
import { observersOf, seenByText } from '../../schema/v1/seen-by.js';
import { channelText } from '../../schema/v1/matrix-cells.js';
import { formatRtt } from '../model/format-rtt.js';
import { pathWord } from '../model/path-word.js';
import { plainText } from '../model/plain-text.js';
import type { Route } from '../model/routes.js';
import { sortRows } from '../model/sort.js';
import { Glyph, glyphOf } from './glyph.js';
import { ClippedName, NodeLink } from './names.js';
import { useNavigation } from './navigation.js';
import { Refusal } from './refusal.js';
import { SortableTable, type Column } from './sortable-table.js';

const refreshMs = 10_000;
/** More are not loaded at once; the agent sends no more on a page. */
const maxNodes = 1000;
const verdicts = ['broken', 'degraded', 'unknown', 'ok', 'excluded'] as const;

type NodesRoute = Extract<Route, { readonly view: 'nodes' }>;

/** The nodes that match a search, each with its verdict and this agent's own view. */
export function NodesPage({ route }: { readonly route: NodesRoute }) {
  const navigation = useNavigation();
  const isShownPlane = useIsShownPlane();
  const lacking = useAgentState((agent) => notProbedText(agent.summary?.notProbed));
  const { name, zone, state, sort } = route;
  const query = new URLSearchParams({ limit: String(maxNodes) });
  if (name !== '') query.set('name', name);
  if (zone !== '') query.set('zone', zone);
  if (state !== '') query.set('state', state);
  const { body, refusal } = useAgentBody<NodePage>(`/v1/nodes?${query}`, refreshMs);
  const nodes = useMemo(() => sortRows(body?.nodes ?? [], (node) => node.name, false), [body]);
  return (
    <section class="page" aria-labelledby="nodes">
      <div class="section-head">
        <h1 id="nodes" tabIndex={-1}>
          Nodes
        </h1>
        <label>
          Name{' '}
          <input
            type="search"
            value={name}
            onInput={(event) => navigation.replace({ ...route, name: event.currentTarget.value })}
          />
        </label>
        <label>
          Verdict{' '}
          <select
            value={state}
            onChange={(event) => navigation.replace({ ...route, state: event.currentTarget.value })}
          >
            <option value="">any</option>
            {verdicts.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
        {zone !== '' && (
          <button type="button" onClick={() => navigation.replace({ ...route, zone: '' })}>
            Zone <ClippedName of={zone} /> ✕
          </button>
        )}
      </div>
      {refusal !== undefined && <Refusal words={refusal} />}
      {lacking !== undefined && <p class="muted">{plainText(lacking)}.</p>}
      {body?.nodes.length === 0 && <p class="muted">No node matches.</p>}
      {nodes.length > 0 && (
        <SortableTable
          label="Table of nodes"
          class="nodes-table"
          columns={columns.filter(({ plane }) => !plane || isShownPlane(plane))}
          rows={nodes}
          keyOf={(node) => node.name}
          sort={sort}
          onSort={(next) => navigation.replace({ ...route, sort: next })}
        />
      )}
      {body?.nextCursor !== undefined && (
        <p class="muted">
          These are {maxNodes.toLocaleString('en')} of the nodes, and only they are sorted; choose a
          verdict or type more of the name to see others.
        </p>
      )}
    </section>
  );
}

const channels: readonly (readonly [Plane, Protocol])[] = [
  ['host', 'icmp'],
  ['host', 'http'],
  ['endpoint', 'icmp'],
  ['endpoint', 'http'],
];

interface NodeColumn extends Column<NodeEntry> {
  /** The plane that it is about. */
  readonly plane?: Plane;
}

const columns: readonly NodeColumn[] = [
  {
    id: 'name',
    title: 'Node',
    value: ({ name }) => name,
    cell: ({ name }) => <NodeLink isClipped name={name} />,
  },
  {
    id: 'verdict',
    title: 'Verdict',
    value: ({ verdict }) => verdicts.findIndex((one) => one === verdict),
    cell: ({ verdict, lifecycle: { phase } }) => (
      <>
        <Glyph kind={glyphOf(verdict)} /> {verdict}
        {phase !== 'active' && <span class="muted"> {plainText(phase)}</span>}
      </>
    ),
    class: 'nowrap',
  },
  {
    id: 'zone',
    title: 'Zone',
    value: ({ zone }) => zone,
    cell: ({ zone }) => (zone === undefined ? '–' : <ClippedName of={zone} />),
  },
  {
    id: 'reached',
    title: 'Reached by',
    value: ({ seenBy }) => {
      const { reporting } = observersOf(seenBy);
      return reporting === 0 ? undefined : seenBy.reachable / reporting;
    },
    cell: ({ seenBy }) => seenByText(seenBy),
    class: 'nowrap',
  },
  ...channels.map(([plane, protocol]): NodeColumn => ({
    plane,
    id: `${plane}-${protocol}`,
    title: channelText({ plane, protocol }),
    isNumber: true,
    // What does not answer is slower than anything that does.
    value: ({ paths }) => rttOrder(paths[plane]?.[protocol]),
    cell: ({ paths }) => <PathWords path={paths[plane]?.[protocol]} />,
  })),
];

function rttOrder(path: OwnPath | undefined): number | undefined {
  return path?.state === 'unreachable' ? Infinity : path?.rttNs;
}

function PathWords({ path }: { readonly path: OwnPath | undefined }) {
  if (!path) return <span class="muted">–</span>;
  const word = pathWord(path);
  return word === 'reachable' ? (
    <>{formatRtt(path.rttNs)}</>
  ) : (
    <>
      <Glyph kind={glyphOf(word)} /> {word}
    </>
  );
}
