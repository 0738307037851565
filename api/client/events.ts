import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventType } from '../schema/v1/event-types.js';
import type { StreamEvent } from '../schema/v1/events.js';
import { formatAgentAddress } from './address.js';
import { ApiError, invalidResponse } from './api-error.js';
import { openAnswer, type ClientOptions } from './exchange.js';
import { linesOf } from './lines.js';

export interface EventsOptions {
  /**
   * Only events with a higher id. 0 asks for all events that are kept. Without an id only new
   * events come.
   */
  readonly after?: number;
  /** If false, the stream ends after the events that are kept. */
  readonly follow?: boolean;
  /** Only events of these types; left out, of all. */
  readonly types?: readonly EventType[];
  /** Called with the reason when a connection is lost, once until there is one again. */
  readonly onReconnect?: (reason: string) => void;
  readonly timings?: Partial<EventsTimings>;
}

export interface EventsTimings {
  /**
   * The agent sends something every 2 s, an older one every 15 s. After this much silence the
   * connection counts as lost.
   */
  readonly silenceMs: number;
  readonly minRetryMs: number;
  readonly maxRetryMs: number;
}

/** One event as JSON and, if its type is known, parsed. A newer agent may send other types. */
export interface ReceivedEvent {
  readonly json: string;
  readonly event: StreamEvent | undefined;
}

const defaultTimings: EventsTimings = { silenceMs: 45_000, minRetryMs: 500, maxRetryMs: 10_000 };

/**
 * Yields the events of an agent. After a lost connection it reconnects and resumes after the last
 * id. Events that were missed show as a `gap` event.
 * @throws ApiError if the first connection gets no valid answer, or the signal is aborted
 */
export async function* readEvents(
  options: ClientOptions,
  { after, follow = true, types = [], onReconnect, timings = {} }: EventsOptions,
): AsyncGenerator<ReceivedEvent, void, undefined> {
  const { streamEventSchema } = await import('../schema/v1/events.js');
  const { silenceMs, minRetryMs, maxRetryMs } = { ...defaultTimings, ...timings };
  let lastId = after;
  let retryMs = minRetryMs;
  let [hasConnected, isConnected] = [false, false];
  for (;;) {
    try {
      const answer = await open(options, { after: lastId, follow, types });
      // Without an id it is unknown which events were missed.
      if (hasConnected && lastId === undefined)
        yield { json: '{"type":"gap"}', event: { type: 'gap' } };
      hasConnected = isConnected = true;
      for await (const json of linesOf(answer, options, silenceMs)) {
        retryMs = minRetryMs;
        const parsed = streamEventSchema.safeParse(parse(json, options));
        const event = parsed.success ? parsed.data : undefined;
        if (event?.type === 'cut') {
          lastId = event.lastId;
          break;
        }
        if (event !== undefined && event.type !== 'gap') lastId = event.id;
        yield { json, event };
      }
      if (!follow) return;
    } catch (error) {
      if (!follow || !hasConnected || !isLost(error)) throw error;
    }
    if (isConnected) {
      onReconnect?.(`the connection to ${formatAgentAddress(options.address)} was lost`);
    }
    isConnected = false;
    await delay(retryMs, undefined, options.signal && { signal: options.signal }).catch(() => {
      throw new ApiError('cancelled', 'cancelled');
    });
    retryMs = Math.min(2 * retryMs, maxRetryMs);
  }
}

/** Whether a retry may help: the agent restarts or is busy. */
function isLost(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.kind === 'status') return (error.statusCode ?? 0) >= 500;
  return ['absent', 'absent-host', 'refused', 'refused-port', 'timeout', 'gone'].includes(
    error.kind,
  );
}

function open(
  options: ClientOptions,
  {
    after,
    follow,
    types,
  }: {
    readonly after: number | undefined;
    readonly follow: boolean;
    readonly types: readonly EventType[];
  },
): Promise<IncomingMessage> {
  const query = new URLSearchParams({ follow: String(follow), keepAlive: String(follow) });
  if (after !== undefined) query.set('after', String(after));
  if (types.length > 0) query.set('type', types.join(','));
  return openAnswer(options, `/v1/events?${query.toString()}`, 'application/x-ndjson');
}

function parse(json: string, { address }: ClientOptions): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw invalidResponse(formatAgentAddress(address), 'an event that is no JSON');
  }
}
