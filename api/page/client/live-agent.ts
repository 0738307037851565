import type { AgentClient } from './agent-client.js';
import { AgentError } from './agent-error.js';
import { CoalescedTask } from './coalesced-task.js';
import { followEvents } from './follow-events.js';
import { Store } from './store.js';
import type { StreamEvent } from '../../schema/v1/events.js';
import type { Findings } from '../../schema/v1/findings.js';
import type { Summary } from '../../schema/v1/summary.js';

/**
 * It is `connecting` until the first answer, then `live`. It is `away` while the agent does not
 * answer.
 */
export type Phase = 'connecting' | 'live' | 'away' | 'unauthorized';

/** What the page knows of the agent at one instant. */
export interface AgentState {
  readonly phase: Phase;
  /** When the agent stopped answering, by this machine's clock. */
  readonly awaySince: number | undefined;
  readonly summary: Summary | undefined;
  readonly findings: Findings | undefined;
  /** The newest first. */
  readonly events: readonly StreamEvent[];
  /** Increases when the agent's knowledge changed or the agent came back. Views then ask again. */
  readonly changes: number;
  /** The agent's clock minus this machine's. It keeps ages right if the two clocks differ. */
  readonly clockOffsetMs: number;
}

const pollMs = 5000;
const awayPollMs = 1000;
const settleMs = 300;
const minGapMs = 1000;
const keptEvents = 2000;
/** After this much silence of the events the agent is asked whether it is there. */
const silentMs = 2800;
/** An agent that is silent and leaves a question open for this long is away. */
const lateMs = 1500;
const watchMs = 500;
/** Summary and findings are short, so an agent that takes longer for them is away. */
const answerMs = 10_000;

/**
 * Keeps the agent's summary, findings and events current. It asks every five seconds, and earlier
 * when an event arrives. It asks an agent that is away every second. An agent that has frozen counts
 * as away within five seconds: its stream of events is silent, and it does not answer.
 */
export class LiveAgent {
  readonly state = new Store<AgentState>({
    phase: 'connecting',
    awaySince: undefined,
    summary: undefined,
    findings: undefined,
    events: [],
    changes: 0,
    clockOffsetMs: 0,
  });
  readonly #client: AgentClient;
  #ending = new AbortController();

  constructor(client: AgentClient) {
    this.#client = client;
  }

  /** Starts to ask, or starts again with another token. */
  start(): void {
    this.#ending.abort();
    const ending = new AbortController();
    this.#ending = ending;
    // They come again from the first one on.
    this.#change({ phase: 'connecting', events: [] });
    const { signal } = ending;
    let heardMs = performance.now();
    const onAlive = (): void => void (heardMs = performance.now());
    const isSilent = () => performance.now() - heardMs > silentMs;
    const task = new CoalescedTask(async () => {
      const late = setTimeout(() => {
        if (isSilent() && !signal.aborted) this.#change(this.#away());
      }, lateMs);
      const next = await this.#ask(signal);
      clearTimeout(late);
      if (signal.aborted) return;
      if (next.phase === 'live') onAlive();
      this.#change(next);
      if (next.phase === 'unauthorized') ending.abort();
      else task.request(next.phase === 'away' ? awayPollMs : pollMs);
    }, minGapMs);
    const watch = setInterval(() => {
      // A hidden page follows no events, so their silence says nothing.
      if (this.state.value.phase === 'live' && isSilent() && !document.hidden) task.request();
    }, watchMs);
    signal.addEventListener('abort', () => {
      clearInterval(watch);
      task.stop();
    });
    task.request();
    void followEvents(this.#client, {
      signal,
      onAlive,
      onEvents: (events) => {
        this.#take(events);
        task.request(settleMs);
      },
      onBroken: () => task.request(),
    });
  }

  /** The agent's time now, in milliseconds since 1970. */
  now(): number {
    return Date.now() + this.state.value.clockOffsetMs;
  }

  #change(change: Partial<AgentState>): void {
    this.state.set({ ...this.state.value, ...change });
  }

  async #ask(signal: AbortSignal): Promise<Partial<AgentState>> {
    try {
      const askedAt = Date.now();
      const [summary, findings] = await Promise.all([
        this.#client.get<Summary>('/v1/summary', signal, answerMs),
        this.#client.get<Findings>('/v1/findings', signal, answerMs),
      ]);
      const { phase, changes } = this.state.value;
      return {
        phase: 'live',
        awaySince: undefined,
        summary,
        findings,
        changes: phase === 'live' ? changes : changes + 1,
        clockOffsetMs: Date.parse(summary.at) - (askedAt + Date.now()) / 2,
      };
    } catch (error) {
      if (error instanceof AgentError && error.kind === 'unauthorized') {
        return { phase: 'unauthorized' };
      }
      return this.#away();
    }
  }

  #away(): Partial<AgentState> {
    return { phase: 'away', awaySince: this.state.value.awaySince ?? Date.now() };
  }

  #take(events: readonly StreamEvent[]): void {
    const { events: known, changes } = this.state.value;
    const newest = [...events].reverse();
    this.#change({ events: [...newest, ...known].slice(0, keptEvents), changes: changes + 1 });
  }
}
