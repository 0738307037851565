import type { StreamEvent } from '../../schema/v1/events.js';
import { eventTone, eventWords, nodeOf, stampOf } from '../model/event-words.js';
import { Glyph } from './glyph.js';
import { NodeLink, useShortText } from './names.js';
import { Time } from './time.js';

interface EventsListProps {
  readonly events: readonly StreamEvent[];
  /** Leaves the node's name out, for a list about one node. */
  readonly hidesNode?: boolean;
}

/** A list of events, the newest first. */
export function EventsList({ events, hidesNode = false }: EventsListProps) {
  const short = useShortText();
  return (
    <ol class="events">
      {events.map((event, at) => {
        const node = nodeOf(event);
        const stamp = stampOf(event);
        return (
          <li key={stamp?.id ?? `${event.type} ${at}`} class={`event event-${event.type}`}>
            <Glyph kind={eventTone(event)} />
            {stamp ? <Time at={stamp.at} /> : <span class="time" />}
            <span class="event-words">
              {!hidesNode && node !== undefined && (
                <>
                  <NodeLink name={node} />{' '}
                </>
              )}
              {short(eventWords(event))}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
