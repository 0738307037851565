import { useMemo, useState } from 'preact/hooks';
import { useAgentState } from '../client/context.js';
import type { StreamEvent } from '../../schema/v1/events.js';
import { count } from '../model/verdict-words.js';
import { EventsList } from './events-list.js';

const pageSize = 200;
const types = ['path', 'finding', 'node', 'list'] as const;

/** The events as they come, the newest first. */
export function EventsPage() {
  const events = useAgentState((state) => state.events);
  const [type, setType] = useState<StreamEvent['type'] | ''>('');
  const [shownCount, setShownCount] = useState(pageSize);
  const chosen = useMemo(
    () => (type === '' ? events : events.filter((event) => event.type === type)),
    [events, type],
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
            onChange={(event) => setType(event.currentTarget.value as StreamEvent['type'] | '')}
          >
            <option value="">all</option>
            {types.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
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
