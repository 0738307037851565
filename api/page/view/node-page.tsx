import { useMemo } from 'preact/hooks';
import type { History } from '../../schema/history.js';
import { useAgentState } from '../client/context.js';
import { useAgentBody } from '../client/use-agent-body.js';
import type { NodeEntry } from '../../schema/v1/nodes.js';
import { notProbedText } from '../../schema/v1/not-probed.js';
import { seenByText } from '../../schema/v1/seen-by.js';
import { nodeOf } from '../model/event-words.js';
import { plainText } from '../model/plain-text.js';
import { allEvents, allNodes } from '../model/routes.js';
import { count } from '../model/verdict-words.js';
import { EventsList } from './events-list.js';
import { Glyph, glyphOf } from './glyph.js';
import { Name } from './names.js';
import { Link } from './navigation.js';
import { NodeFindings } from './node-findings.js';
import { NodeHistory } from './node-history.js';
import { NodeLabels } from './node-labels.js';
import { NodeHost } from './host-lists.js';
import { NodeObservers } from './node-observers.js';
import { NodeTargets } from './node-targets.js';
import { NodePaths } from './node-paths.js';
import { Refusal } from './refusal.js';

const refreshMs = 5000;
const maxEvents = 10;

/** One node: its paths, its host, its round trips, its events and its observers. */
export function NodePage({ name }: { readonly name: string }) {
  const { body: node, refusal } = useAgentBody<NodeEntry>(
    `/v1/nodes/${encodeURIComponent(name)}`,
    refreshMs,
  );
  // Both answers are shown together, so that nothing moves when the second one comes.
  const { body: history, refusal: historyRefusal } = useAgentBody<History>(
    `/v1beta/history?node=${encodeURIComponent(name)}`,
    refreshMs,
  );
  const events = useAgentState((state) => state.events);
  // The URL may have the name without the cluster.
  const wholeName = node?.name ?? name;
  const own = useMemo(
    () => events.filter((event) => nodeOf(event) === wholeName),
    [events, wholeName],
  );
  return (
    <article class="page node-page" aria-labelledby="node">
      <header class="node-head">
        <Glyph kind={glyphOf(node?.verdict)} />
        <h1 id="node" tabIndex={-1}>
          <Name of={name} />
        </h1>
        <p class="node-verdict">{node ? <NodeWords node={node} /> : ' '}</p>
      </header>
      {refusal !== undefined && <Refusal words={refusal} />}
      {node && (history ?? historyRefusal) && (
        <>
          <NodeFindings node={node} />
          <NodeLabels node={node} />
          <NodePaths node={node} />
          <NodeTargets node={node} />
          <NodeHost node={node} />
          <NodeHistory history={history} />
          <section aria-labelledby="node-events">
            <h2 id="node-events">Events</h2>
            {own.length === 0 && <p class="muted">Nothing has changed since the agent started.</p>}
            <EventsList events={own.slice(0, maxEvents)} hidesNode />
            {own.length > maxEvents && (
              <p>
                <Link to={{ ...allEvents, node: wholeName }}>All {count(own.length, 'event')}</Link>
              </p>
            )}
          </section>
          <NodeObservers node={node} />
        </>
      )}
    </article>
  );
}

function NodeWords({ node }: { readonly node: NodeEntry }) {
  const lacking = useAgentState((state) => notProbedText(state.summary?.notProbed));
  const { phase, reason } = node.lifecycle;
  return (
    <>
      <b>{node.verdict}</b>
      {' · '}
      {plainText(phase)}
      {reason !== undefined && ` (${plainText(reason)})`}
      {node.zone !== undefined && (
        <>
          {' · zone '}
          <Link to={{ ...allNodes, zone: node.zone }}>{plainText(node.zone)}</Link>
        </>
      )}
      {' · reached by '}
      {seenByText(node.seenBy)} observers
      {lacking !== undefined && ` · ${plainText(lacking)}`}
    </>
  );
}
