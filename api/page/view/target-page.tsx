import { useMemo } from 'preact/hooks';
import type { NodeMatrix, ZoneMatrix } from '../../schema/v1/matrix.js';
import { byteToRttNs, byteToState } from '../../schema/v1/matrix-bytes.js';
import type { TargetDetail } from '../../schema/v1/targets.js';
import { useAgentBody } from '../client/use-agent-body.js';
import { formatRtt } from '../model/format-rtt.js';
import { decodeNodeMatrix } from '../model/matrix-cells.js';
import { plainText } from '../model/plain-text.js';
import { factsOfPlane, targetPlanes } from '../model/target-words.js';
import { Glyph, glyphOf } from './glyph.js';
import { NodeLink, useShortText } from './names.js';
import { Refusal } from './refusal.js';
import { TableScroller } from './table-scroller.js';

const refreshMs = 5000;
/** The worst nodes come first; the rest is in the terminal: `meshprobe matrix --target`. */
const maxNodes = 200;

/** One target: what is known of it from each plane, by zone, and by node. */
export function TargetPage({ name }: { readonly name: string }) {
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
          <Zones name={path} />
          <Nodes name={path} />
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

function Zones({ name }: { readonly name: string }) {
  const { body } = useAgentBody<ZoneMatrix>(`/v1/matrix?target=${name}`, refreshMs);
  if (!body || body.zones.length < 2) return null;
  return (
    <section aria-labelledby="target-zones">
      <h2 id="target-zones">By zone</h2>
      <TableScroller label="Table of zones">
        <table class="paths-table">
          <thead>
            <tr>
              {['Zone', 'Plane', 'Nodes', 'Failing', 'Lossy', 'Slow', 'Unknown'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {body.cells.map((cell) => (
              <tr key={JSON.stringify([cell.from, cell.to])}>
                <th scope="row">
                  <bdi class="name">{cell.from === '' ? 'no zone' : plainText(cell.from)}</bdi>
                </th>
                <td>{plainText(cell.to)}</td>
                <td>{cell.pairs}</td>
                <td>{cell.failing}</td>
                <td>{cell.lossy}</td>
                <td>{cell.slow}</td>
                <td>{cell.unknown}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </section>
  );
}

const badness = ['unreachable', 'lossy-or-slow', 'unknown', 'no-report', 'reachable', 'excluded'];

function Nodes({ name }: { readonly name: string }) {
  const { body } = useAgentBody<NodeMatrix>(`/v1/matrix?by=node&target=${name}`, 3 * refreshMs);
  const rows = useMemo(() => (body ? rowsOf(body) : undefined), [body]);
  if (!body || !rows) return null;
  return (
    <section aria-labelledby="target-nodes">
      <h2 id="target-nodes">By node</h2>
      <TableScroller label="Table of nodes">
        <table class="paths-table">
          <thead>
            <tr>
              <th scope="col">Node</th>
              {body.columns.map((column) => (
                <th key={column} scope="col">
                  {plainText(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, maxNodes).map(({ node, cells, isStale }) => (
              <tr key={node}>
                <th scope="row">
                  <NodeLink name={node} isClipped />
                </th>
                {cells.map(({ state, rttNs }, column) => (
                  <td key={body.columns[column]} class="nowrap">
                    <Glyph kind={glyphOf(isStale ? 'unknown' : glyphWord(state))} />{' '}
                    {state === 'reachable' && rttNs !== undefined ? formatRtt(rttNs) : words(state)}
                    {isStale && <span class="muted"> stale</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
      {rows.length > maxNodes && (
        <p class="muted">
          These are the worst {maxNodes} of {rows.length}.
        </p>
      )}
    </section>
  );
}

function glyphWord(state: string): string {
  return state === 'lossy-or-slow' ? 'degraded' : state;
}

function words(state: string): string {
  return state.replaceAll('-', ' ');
}

/** The worst nodes first. */
function rowsOf(body: NodeMatrix) {
  const { rows, columns, stale, states, rtts } = decodeNodeMatrix(body);
  const all = rows.map((node, row) => ({
    node,
    isStale: stale[row] ?? false,
    cells: columns.map((_, column) => ({
      state: byteToState(states[row * columns.length + column] ?? 0),
      rttNs: byteToRttNs(rtts[row * columns.length + column] ?? 0),
    })),
  }));
  const rank = ({ cells }: (typeof all)[number]) =>
    Math.min(...cells.map(({ state }) => badness.indexOf(state)));
  return all.sort((a, b) => rank(a) - rank(b));
}
