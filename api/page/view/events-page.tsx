import { useMemo, useState } from 'preact/hooks';
import { eventTypes } from '../../schema/v1/event-types.js';
import { useAgentState } from '../client/context.js';
import { isOfNode } from '../model/event-words.js';
import type { Route } from '../model/routes.js';
import { count } from '../model/verdict-words.js';
import { EventsList } from './events-list.js';
import { ClippedName } from './names.js';
import { useNavigation } from './navigation.js';

const pageSize = 200;

/** What broke, beside what changed on hosts before it. */
const findingsAndChanges = 'finding,change';

type EventsRoute = Extract<Route, { readonly view: 'events' }>;

/** The events as they come, the newest first. */
export function EventsPage({ route }: { readonly route: EventsRoute }) {
  const navigation = useNavigation();
  const events = useAgentState((state) => state.events);
  const [shownCount, setShownCount] = useState(pageSize);
  const { type, node } = route;
  const chosen = useMemo(
    () =>
      events.filter(
        (event) =>
          (type === '' || type.split(',').includes(event.type)) &&
          (node === '' || isOfNode(event, node)),
      ),
    [events, type, node],
  );
  return (
    <section class="page" aria-labelledby="events">
      <div class="section-head">
        <h1 id="events" tabIndex={-1}>
          Events
        </h1>
        <label>
          Show{' '}
          <select
            value={type}
            onChange={(event) => navigation.replace({ ...route, type: event.currentTarget.value })}
          >
            <option value="">all</option>
            <option value={findingsAndChanges}>findings and changes</option>
            {eventTypes.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
        {node !== '' && (
          <button type="button" onClick={() => navigation.replace({ ...route, node: '' })}>
            Node <ClippedName of={node} /> ✕
          </button>
        )}
      </div>
      {chosen.length === 0 && (
        <p class="muted">
          {events.length === 0
            ? 'Nothing has changed since the agent started.'
            : `None of the ${count(events.length, 'event')} is of this kind.`}
        </p>
      )}
      <EventsList events={chosen.slice(0, shownCount)} />
      {chosen.length > shownCount && (
        <button type="button" onClick={() => setShownCount(shownCount + pageSize)}>
          Older events
        </button>
      )}
    </section>
  );
}
