import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { NoAgent } from './no-agent.js';

const pageSize = 100;

interface Page {
  readonly items: readonly unknown[];
  /** Empty after the last. */
  readonly next: string;
}

/** How kubectl ended, and what it said. */
export interface Ran {
  /** Null: a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** For its standard input. */
  readonly input?: string;
  /** Ends it, beside the signal that ends everything. */
  readonly timeoutMs?: number;
}

/** Runs kubectl for one cluster and user. */
export class Kubectl {
  /** Which cluster, and who asks. */
  readonly flags: readonly string[];
  readonly #signal: AbortSignal;
  readonly #detached: boolean;

  /**
   * @param flags which cluster, and who asks
   * @param signal ends what runs
   * @param detached Ctrl-C in the terminal does not reach kubectl itself
   */
  constructor(flags: readonly string[], signal: AbortSignal, detached = false) {
    this.flags = flags;
    this.#signal = signal;
    this.#detached = detached;
  }

  /**
   * The objects of a list, page by page: a cluster may have thousands of pods, of which the first few
   * are enough. Asked for as the API server serves them, so kubectl does not ask first what there is.
   * @param path of the list, without a query
   * @param forbidden what to say where this user may not list them
   * @throws NoAgent where kubectl fails
   */
  async *list(
    path: string,
    selectors: Readonly<Record<string, string>>,
    forbidden: string,
  ): AsyncGenerator {
    let token = '';
    do {
      const query = new URLSearchParams({ ...selectors, limit: String(pageSize) });
      if (token !== '') query.set('continue', token);
      const { items, next } = await this.#page(`${path}?${query.toString()}`, forbidden);
      yield* items;
      token = next;
    } while (token !== '');
  }

  async #page(path: string, forbidden: string): Promise<Page> {
    const { code, stdout, stderr } = await this.run(['get', `--raw=${path}`]);
    if (code !== 0) throw new NoAgent(/\(Forbidden\)/.test(stderr) ? forbidden : reason(stderr));
    return pageOf(stdout);
  }

  /**
   * Runs kubectl to its end. One request of it takes half a minute at most.
   * @throws NoAgent where there is no kubectl
   */
  async run(args: readonly string[], { input, timeoutMs }: RunOptions = {}): Promise<Ran> {
    const isTimed = this.flags.some((flag) => flag.startsWith('--request-timeout='));
    const child = await this.start(
      [...args.slice(0, 1), ...(isTimed ? [] : ['--request-timeout=30s']), ...args.slice(1)],
      [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    );
    const deadline =
      timeoutMs === undefined ? undefined : setTimeout(() => child.kill(), timeoutMs);
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    // It may end before it has read all.
    child.stdin?.on('error', () => undefined).end(input);
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(deadline);
    return { code, stdout, stderr };
  }

  /**
   * Starts kubectl.
   * @throws NoAgent where there is none
   */
  async start(args: readonly string[], stdio: StdioOptions): Promise<ChildProcess> {
    const child = spawn('kubectl', [...this.flags, ...args], { stdio, detached: this.#detached });
    const end = () => child.kill();
    this.#signal.addEventListener('abort', end);
    if (this.#signal.aborted) end();
    child.once('close', () => this.#signal.removeEventListener('abort', end));
    try {
      await once(child, 'spawn');
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new NoAgent(
        code === 'ENOENT' ? 'expected kubectl in PATH, got none' : `kubectl: ${message}`,
      );
    }
    return child;
  }
}

function pageOf(text: string): Page {
  try {
    const { items, metadata } = JSON.parse(text) as {
      items?: unknown;
      metadata?: { continue?: unknown };
    };
    const next = metadata?.continue;
    if (Array.isArray(items)) return { items, next: typeof next === 'string' ? next : '' };
  } catch {
    // Told below.
  }
  throw new NoAgent('kubectl get: expected a list as JSON, got something else');
}

/** The last line in which kubectl says what is wrong. It may log warnings before. */
export function reason(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const said = lines.findLast((line) => /^(error|Error from server|Unable to)/.test(line));
  return `kubectl: ${said ?? lines.at(-1) ?? 'failed and said nothing'}`;
}
