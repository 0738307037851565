import { AgentError } from './agent-error.js';
import type { TokenStore } from './token-store.js';

/** As long as the CLI waits. A busy agent takes seconds for what it writes about thousands of nodes. */
const timeoutMs = 30_000;

/** Asks the agent that served this page. Every failure is an AgentError. */
export class AgentClient {
  readonly #tokens: TokenStore;

  constructor(tokens: TokenStore) {
    this.#tokens = tokens;
  }

  /**
   * Reads one JSON body. The caller names its type, because the page and the agent come from the
   * same build.
   */
  async get<Body>(path: string, signal?: AbortSignal, mostMs = timeoutMs): Promise<Body> {
    const response = await this.#fetch(path, 'application/json', [
      AbortSignal.timeout(mostMs),
      ...(signal ? [signal] : []),
    ]);
    try {
      return (await response.json()) as Body;
    } catch (cause) {
      signal?.throwIfAborted();
      if (isTimeout(cause)) throw new AgentError('late', `${path}: no answer in time`, { cause });
      throw new AgentError('away', `${path}: the answer broke off or is no JSON`, { cause });
    }
  }

  /** Opens the stream of events after that id. One that follows lasts until it breaks or is aborted, another one until it has told all. */
  async openEvents(
    after: string,
    follows: boolean,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    const path = `/v1/events?after=${encodeURIComponent(after)}${follows ? '' : '&follow=false'}`;
    const response = await this.#fetch(path, 'text/event-stream', [signal]);
    if (!response.body) throw new AgentError('away', `${path}: the answer has no body`);
    return response.body;
  }

  async #fetch(path: string, accept: string, signals: AbortSignal[]): Promise<Response> {
    const token = this.#tokens.get();
    const headers = { accept, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    let response: Response;
    try {
      response = await fetch(path, { headers, signal: AbortSignal.any(signals) });
    } catch (cause) {
      if (isTimeout(cause)) throw new AgentError('late', `${path}: no answer in time`, { cause });
      throw new AgentError('away', `${path}: the agent does not answer`, { cause });
    }
    if (response.ok) return response;
    const { status: statusCode } = response;
    const words = await wordsOf(response);
    if (statusCode === 401) throw new AgentError('unauthorized', words, { statusCode });
    // A proxy such as a port-forward answers these while the agent restarts.
    const isAway = statusCode === 502 || statusCode === 503 || statusCode === 504;
    throw new AgentError(isAway ? 'away' : 'refused', words, { statusCode });
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

/** The agent's own message. Every error body of an agent is a JSON string. */
async function wordsOf(response: Response): Promise<string> {
  try {
    const words: unknown = await response.json();
    if (typeof words === 'string') return words.slice(0, 500);
  } catch {
    // A body that is not JSON does not come from the agent.
  }
  return `HTTP ${response.status}`;
}
