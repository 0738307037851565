import { messageOf } from '../../platform/errors.js';
import type { Node } from '../../model/node.js';
import type { NodeSource } from '../node-source.js';
import type { ReportSourceState, SourceState } from '../source-state.js';
import { readKeptNodes, touchKeptNodes, writeKeptNodes, type KeptNodes } from './kept-list.js';

export interface KeepNodesOptions {
  /** Where the list is kept. */
  readonly path: string;
  readonly report: ReportSourceState;
  /** Makes the source; it tells its state to the function that it is given. */
  readonly create: (report: ReportSourceState) => NodeSource;
  /** Called with what went wrong with the file, and with undefined once it works. */
  readonly onProblem: (reason: string | undefined) => void;
  readonly timings?: Partial<KeepNodesTimings>;
}

/** In milliseconds. */
export interface KeepNodesTimings {
  /** A source that says nothing for so long after the start is taken for away. */
  readonly silentMs: number;
  /** The least time between two writes. */
  readonly writeMs: number;
}

const defaults: KeepNodesTimings = { silentMs: 10_000, writeMs: 60_000 };

/**
 * A node source whose last list stays on this host. An agent that starts while its source is away
 * uses that list, and says how old it is, until the source gives one of its own.
 */
export function keepNodes(options: KeepNodesOptions): NodeSource {
  const { path, report, create, onProblem } = options;
  const { silentMs, writeMs } = { ...defaults, ...options.timings };
  let kept: KeptNodes | undefined;
  let isInUse = false;
  let isNeeded = false;
  let latest: readonly Node[] | undefined;
  let isUnwritten = false;
  let isWriting = false;
  let state: SourceState | undefined;
  let onList: (nodes: readonly Node[]) => void = () => undefined;
  let silence: NodeJS.Timeout | undefined;
  let beat: NodeJS.Timeout | undefined;
  let isStopped = false;

  const source = create((next) => {
    state = next;
    tell();
    if (next.lastError !== undefined) need();
  });

  function tell(): void {
    if (isStopped || state === undefined) return;
    const keptAt = isInUse && state.listAt === undefined ? kept?.at : undefined;
    report(keptAt === undefined ? state : { ...state, listAt: keptAt, isKept: true });
  }

  /** The source gives no list now. */
  function need(): void {
    isNeeded = true;
    if (isStopped || isInUse || latest !== undefined || kept === undefined) return;
    isInUse = true;
    tell();
    onList(kept.nodes);
  }

  function note(reason: string | undefined): void {
    if (!isStopped) onProblem(reason && `${path}: ${reason}`);
  }

  async function read(): Promise<void> {
    try {
      kept = await readKeptNodes(path);
    } catch (error) {
      note(messageOf(error));
    }
    if (isNeeded) need();
  }

  function take(nodes: readonly Node[]): void {
    if (isStopped) return;
    clearTimeout(silence);
    [latest, isUnwritten, isInUse, kept] = [nodes, true, false, undefined];
    tell();
    onList(nodes);
    if (beat !== undefined) return;
    beat = setInterval(() => void write(), writeMs);
    void write();
  }

  /** Writes the list if it is a new one; else notes that it is still true, if it is. */
  async function write(): Promise<void> {
    if (isStopped || isWriting || latest === undefined) return;
    const isNew = isUnwritten;
    isWriting = true;
    try {
      isUnwritten = false;
      const isTrue = state?.since === undefined;
      if (isNew || (isTrue && !(await touchKeptNodes(path)))) await writeKeptNodes(path, latest);
      note(undefined);
    } catch (error) {
      isUnwritten = true;
      note(messageOf(error));
    } finally {
      isWriting = false;
    }
  }

  return {
    async start(onNodes) {
      onList = onNodes;
      silence = setTimeout(need, silentMs);
      void read();
      await source.start(take);
    },
    stop() {
      isStopped = true;
      clearTimeout(silence);
      clearInterval(beat);
      source.stop();
    },
  };
}
