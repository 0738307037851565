import type { StreamEvent } from '../client/wire.js';
import { eventTone, eventWords, nodeOf } from '../model/event-words.js';
import { plainText } from '../model/plain-text.js';
import { Glyph } from './glyph.js';
import { NodeLink } from './names.js';
import { Time } from './time.js';

interface EventsListProps {
  readonly events: readonly StreamEvent[];
  /** Where all are about one node, its name is left out. */
  readonly hidesNode?: boolean;
}

/** Events, the newest first. */
export function EventsList({ events, hidesNode = false }: EventsListProps) {
  return (
    <ol class="events">
      {events.map((event, at) => {
        const node = nodeOf(event);
        return (
          <li
            key={'id' in event ? event.id : `${event.type} ${at}`}
            class={`event event-${event.type}`}
          >
            <Glyph kind={eventTone(event)} />
            {'at' in event ? <Time at={event.at} /> : <span class="time" />}
            <span class="event-words">
              {!hidesNode && node !== undefined && (
                <>
                  <NodeLink name={node} />{' '}
                </>
              )}
              {plainText(eventWords(event))}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
