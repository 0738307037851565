import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { NodePage, Plane, Protocol, StreamEvent } from '../../../api/page/client/wire.js';
import { createPageApp, type PageFiles } from '../../../api/routes/page.js';
import type { MadeUpCluster } from './cluster.js';
import { historyOf } from './history.js';
import { nodeMatrixOf } from './node-matrix.js';

/**
 * Stands in for an agent: the real page, and what of `/v1` and `/v1beta` it asks for, told from a
 * made-up cluster. It can go away and come back on the same port, and it can ask for a token.
 */
export class AgentApi {
  token: string | undefined;
  /** The paths asked for, in order. */
  readonly asked: string[] = [];
  readonly #cluster: MadeUpCluster;
  readonly #page: PageFiles;
  readonly #readers = new Set<ServerResponse>();
  #server: Server | undefined;
  #port = 0;

  constructor(cluster: MadeUpCluster, page: PageFiles) {
    this.#cluster = cluster;
    this.#page = page;
    cluster.onEvent = (event) => {
      for (const reader of this.#readers) reader.write(eventText(event));
    };
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Listens, on the port that it had before. */
  async start(): Promise<void> {
    const listener = getRequestListener(this.#app().fetch, { overrideGlobalObjects: false });
    const server = createServer((request, response) => {
      this.asked.push(request.url ?? '');
      if (request.url?.startsWith('/v1/events') === true) this.#sendEvents(request, response);
      else void listener(request, response);
    });
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Goes away at once, as a process that is killed does. */
  async stop(): Promise<void> {
    const closed = this.#server && once(this.#server, 'close');
    this.#server?.close();
    this.#server?.closeAllConnections();
    this.#readers.clear();
    await closed;
    this.#server = undefined;
  }

  #isRefused(authorization: string | undefined): boolean {
    return this.token !== undefined && authorization !== `Bearer ${this.token}`;
  }

  #sendEvents(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isRefused(request.headers.authorization)) {
      response.writeHead(401, { 'content-type': 'application/json' }).end('"a token is needed"');
      return;
    }
    const after = Number(new URL(request.url ?? '', this.url).searchParams.get('after') ?? 0);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(': meshprobe\n\n');
    for (const event of this.#cluster.events) {
      if ('id' in event && event.id > after) response.write(eventText(event));
    }
    this.#readers.add(response);
    response.once('close', () => this.#readers.delete(response));
  }

  #app(): Hono {
    const cluster = this.#cluster;
    const app = new Hono();
    app.route('/', createPageApp(this.#page));
    app.use('/*', async (context, next) => {
      if (!this.#isRefused(context.req.header('authorization'))) return next();
      return context.json('a token is needed', 401);
    });
    app.get('/v1/summary', (context) => context.json(cluster.summary()));
    app.get('/v1/findings', (context) =>
      context.json({
        at: new Date().toISOString(),
        observers: cluster.observers,
        findings: cluster.findings,
      }),
    );
    app.get('/v1/matrix', (context) => {
      const query = context.req.query();
      const plane = (query['plane'] ?? 'host') as Plane;
      const protocol = (query['protocol'] ?? 'icmp') as Protocol;
      if (query['by'] === 'node') {
        const nodes = query['nodes']?.split(',');
        return context.json(nodeMatrixOf(cluster, { plane, protocol, zone: query['zone'], nodes }));
      }
      return context.json({
        at: new Date().toISOString(),
        zones: cluster.zones,
        cells: cluster.zoneCells(plane, protocol),
      });
    });
    app.get('/v1/nodes', (context) => {
      const { name = '', zone, state, limit = '1000', cursor } = context.req.query();
      const found = cluster.nodes
        .filter((node) => node.name.includes(name) && (zone === undefined || node.zone === zone))
        .map((node) => cluster.entry(node))
        .filter(({ verdict }) => state === undefined || verdict === state);
      const start = Number(cursor ?? 0);
      const end = start + Number(limit);
      return context.json({
        at: new Date().toISOString(),
        nodes: found.slice(start, end),
        ...(end < found.length && { nextCursor: String(end) }),
      } satisfies NodePage);
    });
    app.get('/v1/nodes/:name', (context) => {
      const name = context.req.param('name');
      const node = cluster.nodes.find((one) => one.name === name);
      return node
        ? context.json(cluster.entry(node))
        : context.json(`there is no node ${name}`, 404);
    });
    app.get('/v1beta/history', (context) =>
      context.json(historyOf(cluster, context.req.query('node') ?? '')),
    );
    return app;
  }
}

function eventText(event: StreamEvent): string {
  const id = 'id' in event ? `id: ${event.id}\n` : '';
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
