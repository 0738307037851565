import type { AgentClient } from './agent-client.js';
import { EventStreamParser } from './event-stream-parser.js';
import { followInPlace } from './follower-place.js';
import type { StreamEvent } from '../../schema/v1/events.js';
import { hiddenSignal, untilShown } from './while-shown.js';

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Called for whatever comes; the agent sends something every two seconds. */
  readonly onAlive: () => void;
  /** Called with events in the order in which they happened, at most a few times a second. */
  readonly onEvents: (events: readonly StreamEvent[]) => void;
  /**
   * Called when the stream ended or could not be opened, or a question was not answered. It goes on without further action.
   */
  readonly onBroken: () => void;
}

const retryMs = 1000;
/** From one question to the next of a window that does not follow. */
const askMs = 1000;
const answerMs = 10_000;
const gatherMs = 250;

/**
 * Follows the agent's events until aborted. After a break it resumes after the last event. A page that is hidden does not
 * follow, and of many windows that are shown only some do: a browser opens six connections to one agent, and each follower holds
 * one, so many would get no answer. The others ask for new events each second.
 */
export async function followEvents(client: AgentClient, options: FollowOptions): Promise<void> {
  const { signal, onAlive, onEvents, onBroken } = options;
  let lastId = '0';
  let gathered: StreamEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    timer = undefined;
    const events = gathered;
    gathered = [];
    if (!signal.aborted) onEvents(events);
  };
  const read = async (follows: boolean, ending: AbortSignal): Promise<void> => {
    const stream = await client.openEvents(lastId, follows, ending);
    const parser = new EventStreamParser();
    const decoder = new TextDecoder();
    const reader = stream.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      onAlive();
      for (const { id, data } of parser.push(decoder.decode(value, { stream: true }))) {
        if (id !== undefined && id !== '') lastId = id;
        const event = parseEvent(data);
        if (event) gathered.push(event);
      }
      if (gathered.length > 0) timer ??= setTimeout(flush, gatherMs);
    }
  };
  for (;;) {
    await untilShown(signal);
    if (signal.aborted) return;
    const hidden = hiddenSignal();
    const shown = AbortSignal.any([signal, hidden.signal]);
    let isBroken = true;
    try {
      if (!(await followInPlace(() => read(true, shown)))) {
        await read(false, AbortSignal.any([shown, AbortSignal.timeout(answerMs)]));
        onAlive();
        isBroken = false;
      }
    } catch {
      // The error is not needed. The caller learns the cause from its next request.
    }
    hidden.stop();
    if (hidden.signal.aborted) continue;
    if (isBroken) onBroken();
    await new Promise((resolve) => setTimeout(resolve, isBroken ? retryMs : askMs));
  }
}

function parseEvent(data: string): StreamEvent | undefined {
  try {
    const event: unknown = JSON.parse(data);
    const isEvent = typeof event === 'object' && event !== null && 'type' in event;
    return isEvent && typeof event.type === 'string' ? (event as StreamEvent) : undefined;
  } catch {
    return undefined;
  }
}
