import { useState } from 'preact/hooks';
import { useAgentState } from '../client/context.js';
import { useAgentAnswer, useKept } from '../client/use-agent-body.js';
import { useIsShownPlane } from '../client/use-shown-planes.js';
import type { Plane, Protocol } from '../../schema/v1/fields.js';
import type { NodeMatrix as NodeMatrixBody } from '../../schema/v1/matrix.js';
import type { NodeEntry } from '../../schema/v1/nodes.js';
import { observersOf } from '../../schema/v1/seen-by.js';
import { cellStates } from '../../schema/v1/matrix-bytes.js';
import { decodeNodeMatrix, excluded, noReport, withShownStates } from '../model/matrix-cells.js';
import { compareNames } from '../model/natural-order.js';
import { count } from '../model/verdict-words.js';
import { stateWord } from './matrix-section.js';
import { NodeLink } from './names.js';
import { Swatch } from './swatch.js';

const refreshMs = 15_000;
/** Above this number the whole matrix is too large to load for one column. */
const maxNodes = 2000;
const maxNamed = 60;

/** Shows which observers reach a node, by plane and protocol. */
export function NodeObservers({ node }: { readonly node: NodeEntry }) {
  const active = useAgentState((state) => state.summary?.nodes.active ?? 0);
  const { reachable, unreachable, of } = node.seenBy;
  const { silent } = observersOf(node.seenBy);
  return (
    <section aria-labelledby="observers">
      <h2 id="observers">Who sees it</h2>
      <p>
        {reachable.toLocaleString('en')} of {count(of, 'observer')}{' '}
        {reachable === 1 ? 'reaches' : 'reach'} it at all first addresses that they probe,{' '}
        {unreachable.toLocaleString('en')} {unreachable === 1 ? 'does' : 'do'} not
        {silent > 0 && `, and ${silent.toLocaleString('en')} do not tell`}.
      </p>
      {active <= maxNodes && <ObserverGroups node={node} />}
    </section>
  );
}

const choices: readonly (readonly [Plane, Protocol])[] = [
  ['host', 'icmp'],
  ['host', 'http'],
  ['endpoint', 'icmp'],
  ['endpoint', 'http'],
];

function ObserverGroups({ node }: { readonly node: NodeEntry }) {
  const { name } = node;
  const isShownPlane = useIsShownPlane();
  const [[plane, protocol], choose] = useState(() => worstChoice(node));
  const query = new URLSearchParams({ by: 'node', plane, protocol }).toString();
  const { body: newest } = useAgentAnswer(`${name} ${query}`, refreshMs, async (client, signal) => {
    const body = await client.get<NodeMatrixBody>(`/v1/matrix?${query}`, signal);
    return columnOf(body, name);
  });
  const column = useKept(newest);
  return (
    <>
      <div class="tabs" role="group" aria-label="Plane and protocol">
        {choices
          .filter(([of]) => isShownPlane(of))
          .map((choice) => (
            <button
              key={choice.join(' ')}
              type="button"
              aria-pressed={choice[0] === plane && choice[1] === protocol}
              onClick={() => choose(choice)}
            >
              {choice[0]} {choice[1].toUpperCase()}
            </button>
          ))}
      </div>
      <dl class={`observer-groups${newest ? '' : ' is-waiting'}`}>
        {(column ?? []).map(({ state, observers }) => (
          <div key={state}>
            <dt>
              <Swatch state={cellStates[state] ?? 'unknown'} />
              {stateWord(state)}
              {state === noReport && ', or a stale one'}{' '}
              <b>{observers.length.toLocaleString('en')}</b>
            </dt>
            <dd>
              {observers.slice(0, maxNamed).map((observer) => (
                <NodeLink key={observer} name={observer} />
              ))}
              {observers.length > maxNamed && (
                <span class="muted">
                  and {(observers.length - maxNamed).toLocaleString('en')} more
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Chooses the first path that fails, because it is worth looking at first. */
function worstChoice({ paths }: NodeEntry): readonly [Plane, Protocol] {
  const failing = choices.find(
    ([plane, protocol]) => paths[plane]?.[protocol]?.state === 'unreachable',
  );
  return failing ?? ['host', 'icmp'];
}

/** The states in the order in which they need attention. */
const order: readonly number[] = [4, 3, noReport, 1, 2, excluded];

function columnOf(body: NodeMatrixBody, name: string) {
  const { rows, columns, shown } = withShownStates(decodeNodeMatrix(body));
  const column = columns.indexOf(name);
  if (column < 0) return [];
  return order
    .map((state) => ({
      state,
      observers: rows
        // A node is no observer of itself.
        .filter((row, at) => row !== name && shown[at * columns.length + column] === state)
        .sort(compareNames),
    }))
    .filter(({ observers }) => observers.length > 0);
}
