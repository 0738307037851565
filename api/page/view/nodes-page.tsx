import { useAgentBody } from '../client/use-agent-body.js';
import type { Plane, Protocol } from '../../schema/v1/fields.js';
import type { NodeEntry, NodePage, OwnPath } from '../../schema/v1/nodes.js';
import { formatRtt } from '../model/format-rtt.js';
import { pathWord } from '../model/path-word.js';
import { plainText } from '../model/plain-text.js';
import type { Route } from '../model/routes.js';
import { Glyph, glyphOf } from './glyph.js';
import { ClippedName, NodeLink } from './names.js';
import { useNavigation } from './navigation.js';
import { Refusal } from './refusal.js';

const refreshMs = 10_000;
const pageSize = 200;
const verdicts = ['broken', 'degraded', 'unknown', 'ok', 'excluded'] as const;

type NodesRoute = Extract<Route, { readonly view: 'nodes' }>;

/** The nodes that match a search, each with its verdict and this agent's own view. */
export function NodesPage({ route }: { readonly route: NodesRoute }) {
  const navigation = useNavigation();
  const { name, zone, state } = route;
  const query = new URLSearchParams({ limit: String(pageSize) });
  if (name !== '') query.set('name', name);
  if (zone !== '') query.set('zone', zone);
  if (state !== '') query.set('state', state);
  const { body, refusal } = useAgentBody<NodePage>(`/v1/nodes?${query}`, refreshMs);
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
      {body?.nodes.length === 0 && <p class="muted">No node matches.</p>}
      {body && body.nodes.length > 0 && <NodesTable nodes={body.nodes} />}
      {body?.nextCursor !== undefined && (
        <p class="muted">These are the first {pageSize}; type more of the name to see others.</p>
      )}
    </section>
  );
}

const columns: readonly (readonly [Plane, Protocol])[] = [
  ['host', 'icmp'],
  ['host', 'http'],
  ['endpoint', 'icmp'],
  ['endpoint', 'http'],
];

function NodesTable({ nodes }: { readonly nodes: readonly NodeEntry[] }) {
  return (
    <div class="table-scroller" tabIndex={0} role="region" aria-label="Table of nodes">
      <table class="nodes-table">
        <thead>
          <tr>
            <th scope="col">Node</th>
            <th scope="col">Verdict</th>
            <th scope="col">Zone</th>
            <th scope="col">Reached by</th>
            {columns.map(([plane, protocol]) => (
              <th key={`${plane} ${protocol}`} scope="col" class="number">
                {plane} {protocol.toUpperCase()}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <tr key={node.name}>
              <th scope="row">
                <NodeLink isClipped name={node.name} />
              </th>
              <td class="nowrap">
                <Glyph kind={glyphOf(node.verdict)} /> {node.verdict}
                {node.lifecycle.phase !== 'active' && (
                  <span class="muted"> {plainText(node.lifecycle.phase)}</span>
                )}
              </td>
              <td>{node.zone === undefined ? '–' : <ClippedName of={node.zone} />}</td>
              <td class="nowrap">
                {node.seenBy.reachable} of {node.seenBy.of}
              </td>
              {columns.map(([plane, protocol]) => (
                <PathCell key={`${plane} ${protocol}`} path={node.paths[plane]?.[protocol]} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PathCell({ path }: { readonly path: OwnPath | undefined }) {
  if (!path) return <td class="number muted">–</td>;
  const word = pathWord(path);
  return (
    <td class="number nowrap">
      {word === 'reachable' ? (
        formatRtt(path.rttNs)
      ) : (
        <>
          <Glyph kind={glyphOf(word)} /> {word}
        </>
      )}
    </td>
  );
}
