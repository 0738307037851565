import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { closeServer, listen } from '../../resources/listen.js';
import { Collection, matches, seenThrough, type Event, type Stored } from './collection.js';
import { asCutTable, asTable, tableType } from './table.js';
import { commit, refuse, sendJson, statusObject, type Fault } from './faults.js';

export interface Request {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly kind: 'list' | 'watch';
  readonly token: string | undefined;
  readonly accept: string;
  /** Whether the client still waits for more of the answer. */
  readonly isOpen: () => boolean;
}

interface Page {
  readonly objects: readonly Stored[];
  readonly version: number;
}

/**
 * An API server as far as listing and watching goes, with the rules of the real one for limits,
 * continue tokens, resource versions and bookmarks, and with every fault a client has to live with.
 */
export class ApiServer {
  /** All requests so far, the oldest first. */
  readonly requests: Request[] = [];
  /** While not empty, only these bearer tokens are let in. */
  readonly tokens = new Set<string>();
  /** How an expired watch is refused. */
  goneShape: 'http' | 'stream' = 'stream';
  /** Whether lists of any version (resourceVersion=0) come from memory, where limits are ignored. */
  hasWatchCache = true;
  bookmarkMs = 50;
  /** What it does where a Table is asked for: prints one, leaves most cells out of it, sends whole objects, or refuses. */
  tables: 'printed' | 'cut' | 'ignored' | 'refused' = 'printed';
  readonly #collections = new Map<string, Collection>();
  readonly #server: Server;
  readonly #open = new Set<ServerResponse>();
  readonly #pages = new Map<string, Page>();
  #faults: { readonly fault: Fault; readonly kind: Request['kind'] | 'any'; times: number }[] = [];
  #version = 100;
  #compacted = 0;
  #port = 0;
  #host = '127.0.0.1';

  constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  collection(path: string): Collection {
    let found = this.#collections.get(path);
    if (!found) this.#collections.set(path, (found = new Collection(() => ++this.#version)));
    return found;
  }

  get nodes(): Collection {
    return this.collection('/api/v1/nodes');
  }

  pods(namespace: string): Collection {
    return this.collection(`/api/v1/namespaces/${namespace}/pods`);
  }

  get version(): number {
    return this.#version;
  }

  get url(): string {
    return `http://${isIPv6(this.#host) ? `[${this.#host}]` : this.#host}:${this.#port}`;
  }

  /** Listens, after a stop where it did before. */
  async start(port = this.#port, host = this.#host): Promise<void> {
    this.#host = host;
    this.#port = await listen(this.#server, port, host);
  }

  /** Goes away with all its connections; the objects stay. */
  stop(): Promise<void> {
    return closeServer(this.#server);
  }

  /** The next requests of a kind meet this fault. */
  fail(fault: Fault, kind: Request['kind'] | 'any' = 'any', times = 1): void {
    this.#faults.push({ fault, kind, times });
  }

  /** Forgets all history: older resource versions and continue tokens are gone. */
  compact(): void {
    this.#compacted = this.#version;
    this.#pages.clear();
  }

  /** Starts again at a lower resource version, as after a restore from a backup. */
  goBackTo(version: number): void {
    for (const { events } of this.#collections.values()) events.length = 0;
    this.#version = version;
  }

  /** Writes raw bytes into every open watch. */
  inject(text: string): void {
    for (const response of this.#open) response.write(text);
  }

  /** Ends every open watch cleanly. */
  endWatches(): void {
    for (const response of this.#open) response.end();
  }

  get openWatches(): number {
    return this.#open.size;
  }

  count(kind: Request['kind'], path?: string): number {
    return this.requests.filter(
      (request) => request.kind === kind && (path === undefined || request.path === path),
    ).length;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://api');
    const kind = url.searchParams.get('watch') === 'true' ? 'watch' : 'list';
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const isOpen = () => !response.closed;
    const accept = request.headers.accept ?? '';
    this.requests.push({
      path: url.pathname,
      query: url.searchParams,
      kind,
      token,
      accept,
      isOpen,
    });
    const planned = this.#faults.find((fault) => fault.kind === 'any' || fault.kind === kind);
    if (planned) {
      planned.times--;
      this.#faults = this.#faults.filter(({ times }) => times > 0);
      commit(planned.fault, response);
      return;
    }
    if (this.tokens.size > 0 && !this.tokens.has(token ?? '')) {
      refuse(response, 401, 'Unauthorized');
      return;
    }
    const collection = this.#collections.get(url.pathname);
    if (!collection) {
      refuse(response, 404, 'the server could not find the requested resource');
      return;
    }
    const isTable = accept.startsWith(tableType) && this.tables !== 'ignored';
    if (isTable && this.tables === 'refused') {
      refuse(response, 406, 'only the following media types are accepted: application/json');
      return;
    }
    const resource = url.pathname.endsWith('/pods') ? 'pods' : 'nodes';
    if (kind === 'watch')
      this.#watch(collection, url.searchParams, response, isTable ? resource : undefined);
    else this.#list(collection, url.searchParams, response);
  }

  #list(collection: Collection, query: URLSearchParams, response: ServerResponse): void {
    const token = query.get('continue');
    const asked = query.get('resourceVersion') ?? '';
    const match = query.get('resourceVersionMatch');
    if (token && asked !== '') {
      refuse(response, 400, 'specifying resource version is not allowed when using continue');
      return;
    }
    if (match !== null && asked === '') {
      refuse(response, 400, 'resourceVersionMatch is forbidden unless resourceVersion is provided');
      return;
    }
    if (Number(asked) > this.#version) {
      refuseTooNew(response, asked, this.#version);
      return;
    }
    if (asked !== '' && match !== 'NotOlderThan' && Number(asked) < this.#compacted) {
      refuse(response, 410, 'The provided resource version is too old');
      return;
    }
    const page = token ? this.#pages.get(token) : this.#freshPage(collection, query);
    if (!page) {
      refuse(response, 410, 'The provided continue parameter is too old');
      return;
    }
    const isLimited = asked !== '0' || !this.hasWatchCache;
    const limit = (isLimited && Number(query.get('limit') ?? 0)) || page.objects.length;
    const rest = page.objects.slice(limit);
    const metadata: Record<string, unknown> = { resourceVersion: String(page.version) };
    if (rest.length > 0) {
      const next = Buffer.from(`${page.version}:${rest.length}:${this.#pages.size}`).toString(
        'base64',
      );
      this.#pages.set(next, { objects: rest, version: page.version });
      metadata['continue'] = next;
      metadata['remainingItemCount'] = rest.length;
    }
    const items = page.objects.slice(0, limit);
    sendJson(response, 200, { kind: 'List', apiVersion: 'v1', metadata, items });
  }

  #freshPage(collection: Collection, query: URLSearchParams): Page {
    const selector = query.get('labelSelector') ?? '';
    const isSelected = fieldTest(query);
    const objects = [...collection.objects]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, object]) => object)
      .filter((object) => matches(selector, object) && isSelected(object));
    return { objects, version: this.#version };
  }

  #watch(
    collection: Collection,
    query: URLSearchParams,
    response: ServerResponse,
    table: 'nodes' | 'pods' | undefined,
  ): void {
    const from = Number(query.get('resourceVersion') ?? 0);
    if (from < this.#compacted) {
      const message = `too old resource version: ${from} (${this.#compacted})`;
      if (this.goneShape === 'http') {
        refuse(response, 410, message);
        return;
      }
      const event = { type: 'ERROR', object: { ...statusObject(410, message), reason: 'Expired' } };
      response.end(`${JSON.stringify(event)}\n`);
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    this.#open.add(response);
    const selector = query.get('labelSelector') ?? '';
    const isSelected = fieldTest(query);
    let rows = 0;
    const print = this.tables === 'cut' ? asCutTable : asTable;
    const shown = (object: Stored | object) =>
      table ? print(object, rows++ === 0, table) : object;
    const send = (event: Event): void => {
      const seen = seenThrough(selector, event);
      if (!seen || !isSelected(event.object)) return;
      response.write(`${JSON.stringify({ type: seen.type, object: shown(seen.object) })}\n`);
    };
    for (const event of collection.events) if (event.version > from) send(event);
    const quit = collection.onEvent((event) => {
      if (!response.writableEnded && event.version > from) send(event);
    });
    const bookmarks = setInterval(() => {
      if (query.get('allowWatchBookmarks') !== 'true' || response.writableEnded) return;
      if (this.#version < from) return;
      const metadata = { resourceVersion: String(this.#version) };
      response.write(`${JSON.stringify({ type: 'BOOKMARK', object: shown({ metadata }) })}\n`);
    }, this.bookmarkMs);
    const end = setTimeout(
      () => response.end(),
      Number(query.get('timeoutSeconds') ?? 1800) * 1000,
    );
    response.on('close', () => {
      quit();
      clearInterval(bookmarks);
      clearTimeout(end);
      this.#open.delete(response);
    });
  }
}

/** Neither a name nor the node of a pod changes. */
function fieldTest(query: URLSearchParams): (object: Stored) => boolean {
  const [, field, value] =
    /^(spec\.nodeName|metadata\.name)=(.*)$/.exec(query.get('fieldSelector') ?? '') ?? [];
  return ({ metadata, spec }) => {
    if (field === undefined) return true;
    const nodeName = (spec as { nodeName?: string } | undefined)?.nodeName;
    return value === (field === 'metadata.name' ? metadata.name : nodeName);
  };
}

function refuseTooNew(response: ServerResponse, asked: string, current: number): void {
  refuse(response, 504, `Timeout: Too large resource version: ${asked}, current: ${current}`);
}
