import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createJsonApi } from '../../../api/routes/json-api.js';
import type { PageFiles } from '../../../api/routes/page.js';
import { closeServer, listen } from '../../resources/listen.js';
import { historyOf } from './history.js';
import type { MadeUpCluster } from './cluster.js';

/**
 * Stands in for an agent: the real routes and the real page, over what a made-up cluster would tell.
 * It can go away and come back on the same port, and it can ask for a token.
 */
export class AgentApi {
  token: string | undefined;
  /** The paths asked for, in order. */
  readonly asked: string[] = [];
  readonly #cluster: MadeUpCluster;
  readonly #page: PageFiles;
  #server: Server | undefined;
  #port = 0;
  #isFrozen = false;

  constructor(cluster: MadeUpCluster, page: PageFiles) {
    this.#cluster = cluster;
    this.#page = page;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Listens, on the port that it had before. */
  async start(): Promise<void> {
    const firstToken = this.token;
    const app = createJsonApi(
      {
        status: () => ({ body: new Uint8Array(), etag: '"none"' }),
        history: (name) => historyOf(this.#cluster, name),
        v1: this.#cluster,
      },
      {
        page: this.#page,
        // It may change while it is served, as that of a file that was written anew.
        token:
          firstToken === undefined ? undefined : () => Promise.resolve(this.token ?? firstToken),
        allowedHosts: ['meshprobe.example'],
      },
    );
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    const server = createServer((request, response) => {
      this.asked.push(request.url ?? '');
      if (this.#isFrozen) return;
      const write = response.write.bind(response) as (...args: unknown[]) => boolean;
      response.write = (...args: unknown[]) => this.#isFrozen || write(...args);
      void listener(request, response);
    });
    this.#server = server;
    this.#port = await listen(server, this.#port);
  }

  /**
   * Answers nothing more and sends nothing more, as a process that was stopped. Its connections stay.
   */
  freeze(): void {
    this.#isFrozen = true;
  }

  /** Goes away at once, as a process that is killed does. */
  async stop(): Promise<void> {
    if (this.#server) await closeServer(this.#server);
    this.#server = undefined;
    this.#isFrozen = false;
  }
}
