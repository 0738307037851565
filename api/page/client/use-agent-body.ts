import { useEffect, useRef, useState } from 'preact/hooks';
import type { AgentClient } from './agent-client.js';
import { AgentError } from './agent-error.js';
import { CoalescedTask } from './coalesced-task.js';
import { useAgent, useAgentState } from './context.js';

/** A body that is kept current. The last one stays until a newer one arrives. */
export interface Loaded<Body> {
  readonly body: Body | undefined;
  /** Why there is no newer one: the agent refused the request, or has not answered in time. */
  readonly refusal: string | undefined;
}

interface Answer<Body> extends Loaded<Body> {
  readonly key: string;
}

/** The minimum time between two requests, however many events come. */
const minGapMs = 2000;

/**
 * Returns the last body that was defined. The view keeps its layout while another body is loaded.
 */
export function useKept<Body>(body: Body | undefined): Body | undefined {
  const kept = useRef(body);
  if (body !== undefined) kept.current = body;
  return kept.current;
}

/** Asks the agent for one path, as useAgentAnswer does. */
export function useAgentBody<Body>(path: string, refreshMs: number): Loaded<Body> {
  return useAgentAnswer(path, refreshMs, (client, signal) => client.get<Body>(path, signal));
}

/**
 * Asks now, then every `refreshMs` and whenever the agent's knowledge changed.
 * @param key names what is asked for: with another one the last answer is dropped
 */
export function useAgentAnswer<Body>(
  key: string,
  refreshMs: number,
  ask: (client: AgentClient, signal: AbortSignal) => Promise<Body>,
): Loaded<Body> {
  const { client } = useAgent();
  const changes = useAgentState((state) => state.changes);
  const isLive = useAgentState((state) => state.phase === 'live');
  const [answer, setAnswer] = useState<Answer<Body> | undefined>(undefined);
  const task = useRef<CoalescedTask | undefined>(undefined);

  useEffect(() => {
    if (!isLive) return;
    const ending = new AbortController();
    const { signal } = ending;
    const own = new CoalescedTask(async () => {
      try {
        const body = await ask(client, signal);
        if (!signal.aborted) setAnswer({ key, body, refusal: undefined });
      } catch (error) {
        if (signal.aborted) return;
        const kind = error instanceof AgentError ? error.kind : 'refused';
        if (kind === 'away' || kind === 'unauthorized') return;
        if (kind === 'late') {
          const refusal =
            'The agent is busy: it has not answered this in time, and is asked again.';
          setAnswer((last) => ({ key, body: last?.key === key ? last.body : undefined, refusal }));
          return;
        }
        const words = error instanceof Error ? error.message : String(error);
        setAnswer({ key, body: undefined, refusal: `The agent refused: ${words}` });
      }
    }, minGapMs);
    task.current = own;
    own.request();
    const timer = setInterval(() => {
      if (!document.hidden) own.request();
    }, refreshMs);
    return () => {
      clearInterval(timer);
      own.stop();
      ending.abort();
    };
  }, [client, key, isLive, refreshMs]);

  useEffect(() => task.current?.request(), [changes]);

  return answer?.key === key ? answer : { body: undefined, refusal: undefined };
}
