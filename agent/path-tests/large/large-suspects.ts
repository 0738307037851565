import type { Path } from '../../model/path.js';
import type { RowLarge, RowLargeLoss, RowLargePass } from '../../model/row-large.js';
import type { LargeEntry, LargePaths } from './large-paths.js';

/** A node to or from which large packets are lost, as some agent says. */
export interface SuspectedNode {
  readonly node: string;
  /** When the last of these losses was judged, in monotonic milliseconds. */
  readonly lostMs: number;
}

/** Large GETs to one node, of all agents together, in a second: it reads at most 64 of them at once. */
const testsPerSecond = 16;
/** All agents test within this time at the least, so that they do not do so at once. */
const leastSpreadMs = 2000;
/** A path is tested again for another loss only after this time. */
const againMs = 30_000;
/** What changes at a node may change how large its packets may be. Each path is tested at most once in this time for it. */
const suspectAgainMs = 60_000;
/** So many are tested in a minute for it, half of all: the steady tests go on while much changes. */
const mostSuspects = 30;
const suspectWindowMs = 60_000;
/** A loss is judged by three tests, so it began before. What passed since then is told. */
const judgedForMs = 20_000;
/** Losses that are told of are at most as old for what passes to be told too. */
const sentForMs = 900_000;

export interface LargeSuspectsOptions {
  readonly paths: LargePaths;
  readonly localName: string;
  /** A number from 0 to below 1. */
  readonly random: () => number;
}

/**
 * Where any agent says that large packets are lost, the paths of this agent to the same nodes are tested soon, and
 * what else it knows is told: together they say how far the trouble goes.
 */
export class LargeSuspects {
  readonly #options: LargeSuspectsOptions;
  #oldestMs: number | undefined;
  #suspects = { count: 0, sinceMs: -Infinity };

  constructor(options: LargeSuspectsOptions) {
    this.#options = options;
  }

  /**
   * Takes the nodes that are suspected now. Paths that were tested since then are not tested again.
   * @param nodes how many nodes there are
   */
  take(suspected: readonly SuspectedNode[], nodes: number, nowMs: number): void {
    const { paths, localName, random } = this.#options;
    this.#oldestMs = suspected.reduce<number | undefined>(
      (oldest, { lostMs }) => Math.min(oldest ?? lostMs, lostMs),
      undefined,
    );
    if (suspected.length === 0) return;
    const since = new Map(suspected.map(({ node, lostMs }) => [node, lostMs]));
    const own = since.get(localName) ?? -Infinity;
    const spreadMs = spreadOf(nodes);
    for (const { path, state, testedMs, dueMs } of paths.entries()) {
      // A path on which they are lost has its turn soon enough.
      if (state === 'lost' || dueMs <= nowMs + spreadMs) continue;
      const lostMs = Math.max(since.get(path.node) ?? -Infinity, own);
      const lastMs = testedMs ?? -Infinity;
      if (lastMs >= lostMs || nowMs - lastMs < againMs) continue;
      paths.hurry(path, nowMs + random() * spreadMs);
    }
  }

  /**
   * Takes that something changed at the node of a path, or that a finding is about it: the path is tested soon, or
   * as soon as it may be. Returns whether this brings its test forward.
   * @param nodes how many nodes there are, which may all know of it
   */
  suspect(path: Path, nodes: number, nowMs: number): boolean {
    const { paths, random } = this.#options;
    const { state, testedMs = -Infinity, dueMs = -Infinity } = paths.of(path) ?? {};
    const fromMs = Math.max(nowMs, testedMs + suspectAgainMs);
    const spreadMs = spreadOf(nodes);
    if (state === 'lost' || dueMs <= fromMs + spreadMs) return false;
    if (nowMs - this.#suspects.sinceMs >= suspectWindowMs)
      this.#suspects = { count: 0, sinceMs: nowMs };
    if (this.#suspects.count >= mostSuspects) return false;
    this.#suspects.count++;
    paths.hurry(path, fromMs + random() * spreadMs);
    return true;
  }

  /** What this agent's row tells; undefined while large packets are lost nowhere, as far as is known. */
  row(nowMs: number): RowLarge | undefined {
    const { paths } = this.#options;
    if (this.#oldestMs === undefined && paths.lost === 0) return undefined;
    const sinceMs = Math.max((this.#oldestMs ?? nowMs) - judgedForMs, nowMs - sentForMs);
    const lost: RowLargeLoss[] = [];
    const passed: RowLargePass[] = [];
    for (const entry of paths.entries()) {
      const { path, state, losses, passedMs = -Infinity } = entry;
      const { node, plane } = path;
      if (state === 'lost') {
        const loss = sentLoss(entry, nowMs);
        if (loss) lost.push(loss);
      } else if (losses === 0 && passedMs >= sinceMs) {
        passed.push({ node, plane, ageSeconds: seconds(nowMs - passedMs) });
      }
    }
    // The last tests first: they are told where there are too many.
    passed.sort((a, b) => a.ageSeconds - b.ageSeconds);
    return { lost, passed };
  }
}

function spreadOf(nodes: number): number {
  return Math.max(leastSpreadMs, (1000 * nodes) / testsPerSecond);
}

/** Of two agents each tells of its own direction. An endpoint has no agent that could. */
function sentLoss(
  { path: { node, plane }, sinceMs, isBack, limit }: LargeEntry,
  nowMs: number,
): RowLargeLoss | undefined {
  if (isBack === true && plane === 'host') return undefined;
  return {
    node,
    plane,
    ageSeconds: seconds(nowMs - sinceMs),
    ...(isBack === true && { isBack: true }),
    ...(limit && {
      limit: {
        bytes: limit.bytes,
        interfaceBytes: limit.interfaceBytes,
        ...(limit.saidBy && { saidBy: limit.saidBy.address }),
        ...(limit.tunnels && { tunnels: limit.tunnels }),
      },
    }),
  };
}

function seconds(ms: number): number {
  return Math.max(Math.floor(ms / 1000), 0);
}
