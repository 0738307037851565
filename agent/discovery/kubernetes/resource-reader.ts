import { setImmediate as breathe } from 'node:timers/promises';
import { withDeadlines } from '../deadline.js';
import type { ApiReader } from './api-client.js';
import type { ConnectionState } from './connection-state.js';
import type { ListWatchTimings } from './list-watch-timings.js';

/** How long this may keep the event loop at a stretch. */
const longestTurnMs = 2;

export interface ResourceReaderOptions {
  readonly client: Pick<ApiReader, 'get'>;
  readonly path: string;
  readonly query: Readonly<Record<string, string>> | undefined;
  readonly timings: Pick<ListWatchTimings, 'headersMs' | 'silenceMs' | 'shortLivedMs'>;
  readonly connection: Pick<ConnectionState, 'noteHeard' | 'noteWell'>;
}

/** Reads answers about one resource while they come, and gives up those that are silent or take too long. */
export class ResourceReader {
  readonly #options: ResourceReaderOptions;

  constructor(options: ResourceReaderOptions) {
    this.#options = options;
  }

  /**
   * Reads one answer to its end.
   * @param totalMs the longest that it may take
   * @param onChunk what it throws ends the reading
   */
  async read(
    run: AbortSignal,
    query: Readonly<Record<string, string>>,
    totalMs: number,
    onChunk: (chunk: Buffer) => void,
    accept?: string,
  ): Promise<void> {
    const { client, path, query: ownQuery, timings, connection } = this.#options;
    const search = new URLSearchParams({ ...ownQuery, ...query }).toString();
    const { headersMs: firstMs, silenceMs } = timings;
    await withDeadlines(run, { firstMs, silenceMs, totalMs }, async (signal, alive) => {
      const body = await client.get(`${path}?${search}`, signal, accept);
      alive();
      // Nothing may be happening in the cluster: a watch that stays open is a good one, too.
      const settled = setTimeout(() => connection.noteWell(), timings.shortLivedMs);
      let breathedAt = performance.now();
      try {
        for await (const chunk of body) {
          // Events that arrive after the stop are dropped.
          if (signal.aborted) return;
          alive();
          connection.noteHeard();
          onChunk(chunk);
          // A fast server always has the next chunk ready, so probes must get their turn in
          // between.
          if (performance.now() - breathedAt > longestTurnMs) {
            await breathe();
            breathedAt = performance.now();
          }
        }
      } finally {
        clearTimeout(settled);
      }
    });
  }
}
