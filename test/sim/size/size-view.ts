import {
  gapPerRun,
  longestGapMs,
  maxGapMs,
  usualGapMs,
  waitingGapMs,
} from '../../../agent/cluster/findings-runner.js';
import { diagnose } from '../../../agent/diagnosis/diagnose.js';
import type { ClusterIndex } from '../../../agent/diagnosis/nouns/cluster-index.js';
import type {
  DiagnosisInput,
  DiagnosisOutput,
  ObservedRow,
} from '../../../agent/diagnosis/nouns/diagnosis-input.js';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import { broughtForwardPerSecond } from '../../../agent/exchange/hints/news-spreader.js';
import { hintLifetimeMs } from '../../../agent/exchange/hints/hint.js';
import { RowAsker } from '../../../agent/exchange/rows/row-asker.js';
import { freshForMs, type Row } from '../../../agent/model/row.js';
import { confirmationGapMs } from '../../../agent/probing/schedule/plan.js';
import type { WatchedAgent } from '../timeline/watched-cluster.js';
import type { AgentProcess } from './agent-processes.js';
import type { GeneratedRow, GeneratedRows } from './generated-rows.js';
import type { ObservedPaths } from './observed-paths.js';
import { getChannel, type SizeWorld } from './size-world.js';

/** The last row of a peer, as its reader keeps it. */
interface KeptRow {
  readonly row: Row;
  readonly writtenMs: number;
  confirmedMs: number;
}

/** A run takes so long for each row and for each path that these name (`npm run bench -- --only findings`). */
const [runMsPerRow, runMsPerPath] = [0.006, 0.0007];
/** The agent ran for so long before the round. */
const longMs = 3_600_000;
const probePort = 4240;
/** An exchange takes some milliseconds. */
const exchangeMs = 2;
const newsPurpose = 40;

export interface SizeViewOptions {
  readonly world: SizeWorld;
  readonly rows: GeneratedRows;
  readonly index: ClusterIndex;
  readonly node: number;
  /** When this process started, in milliseconds from the start; undefined: long before. */
  readonly startedMs?: number;
}

/**
 * One agent that reads the rows of all others and makes findings of them. It gets each row when its agent would: by its
 * own GETs in their turn, by those that hints or its own looks bring forward, and by those that its findings ask for.
 */
export class SizeView implements WatchedAgent {
  readonly node: number;
  readonly startedMs: number;
  /** For each change that it can know to be over, by when the change came: since when it can. */
  readonly endsSeenMs = new Map<number, number>();
  /** For each change after which some row that it has tells of a path that fails: since when it has one. */
  readonly beginsSeenMs = new Map<number, number>();
  /** By the id of a finding: since when it was thought of, whether or not it was told. */
  readonly suspectedMs = new Map<string, number>();
  readonly #options: SizeViewOptions;
  readonly #process: AgentProcess;
  readonly #observed: ObservedPaths;
  readonly #kept = new Map<number, KeptRow>();
  /** How many paths the kept rows name. */
  #keptPaths = 0;
  readonly #heardMs = new Map<number, number>();
  /** The peers in the order of the steady GETs, and the next of them. */
  readonly #ring: readonly { readonly peer: number; readonly phaseMs: number }[];
  #next = 0;
  #lapMs = 0;
  readonly #ownLooks: readonly { readonly to: number; readonly atMs: number }[];
  #nextLook = 0;
  readonly #calledLooks: readonly { readonly peer: number; readonly atMs: number }[];
  #nextCalled = 0;
  readonly #refuting: readonly { readonly peer: number; readonly atMs: number }[];
  #nextRefuting = 0;
  #nextFirst = 0;
  readonly #asker: RowAsker;
  readonly #timers = new Set<{ readonly atMs: number; readonly run: () => void }>();
  #nowMs: number;
  #news = 0;
  #nextNewsMs = -Infinity;
  #result: DiagnosisOutput | undefined;
  #ranMs = -Infinity;
  #dueMs: number;
  #isChanged = false;
  #runs = 0;

  constructor(options: SizeViewOptions) {
    const { world, rows, node, startedMs = -Infinity } = options;
    this.#options = options;
    this.node = node;
    this.startedMs = startedMs;
    const process = world.processes.at(node, startedMs);
    if (!process) throw new RangeError(`expected an agent on node ${node} at ${startedMs} ms`);
    this.#process = process;
    this.#observed = rows.observed(node, process);
    this.#ownLooks = this.#observed.looks();
    this.#nowMs = Math.max(startedMs, 0);
    this.#dueMs = this.#nowMs;
    const { probes } = world;
    const intervalMs = probes.intervalMs[getChannel] ?? 0;
    const peers = [...world.plan.layout.names.keys()].filter((peer) => peer !== node);
    this.#ring = peers
      .map((peer) => ({ peer, phaseMs: probes.share(node, peer, getChannel) * intervalMs }))
      .sort((a, b) => a.phaseMs - b.phaseMs);
    this.#lapMs = Math.floor(this.#nowMs / intervalMs) * intervalMs;
    while (this.#phaseOf(this.#next) < this.#nowMs && this.#next < this.#ring.length) this.#next++;
    if (startedMs === -Infinity) {
      for (const peer of peers) {
        const confirmedMs = probes.last(node, peer, getChannel, 0);
        this.#kept.set(peer, { ...rows.well(peer), confirmedMs });
        this.#heardMs.set(peer, confirmedMs);
      }
    }
    this.#calledLooks = world.hints.calledLooks(node).filter(({ atMs }) => atMs > startedMs);
    this.#refuting = peers
      .flatMap((peer) => world.refutations.getsMs(node, peer).map((atMs) => ({ peer, atMs })))
      .filter(({ atMs }) => atMs > startedMs)
      .sort((a, b) => a.atMs - b.atMs);
    this.#asker = new RowAsker({
      clock: {
        nowMs: () => this.#nowMs,
        wallMs: () => this.#nowMs,
        after: (ms, run) => {
          const timer = { atMs: this.#nowMs + ms, run };
          this.#timers.add(timer);
          return () => void this.#timers.delete(timer);
        },
      },
      confirmed: () => this.#confirmed(),
      isReachable: (name) => this.#canAsk(this.#numberOf(name)),
      ask: (name) => this.#get(this.#numberOf(name), this.#nowMs),
    });
  }

  get findings(): readonly Finding[] {
    return this.#result?.findings ?? [];
  }

  /** How often it made findings. */
  get runs(): number {
    return this.#runs;
  }

  /** Whether no row that it has tells of anything that is not well, and it says nothing. */
  get isWell(): boolean {
    return this.findings.length === 0 && this.#keptPaths === 0;
  }

  /** Lets time pass: rows come, and findings are made. */
  advance(toMs: number, { makesFindings }: { readonly makesFindings: boolean }): void {
    this.#runTimers();
    this.#getInTurn(toMs);
    this.#getAfterLooks(toMs);
    this.#getAfterCalls(toMs);
    this.#refute(toMs);
    this.#bringNews(toMs);
    this.#nowMs = toMs;
    if (!makesFindings) return;
    const isDue = toMs >= this.#dueMs || (this.#isChanged && toMs >= this.#ranMs + this.#gapMs());
    if (isDue) this.#makeFindings();
  }

  #phaseOf(at: number): number {
    return this.#lapMs + (this.#ring[at]?.phaseMs ?? Infinity);
  }

  #getInTurn(toMs: number): void {
    const { probes } = this.#options.world;
    if (this.startedMs > -Infinity) {
      for (; this.#nextFirst < this.#options.world.nodes; this.#nextFirst++) {
        const atMs = probes.firstMs(this.startedMs, this.#nextFirst, getChannel);
        if (atMs > toMs) break;
        if (this.#nextFirst !== this.node) this.#get(this.#nextFirst, atMs);
      }
    }
    for (;;) {
      if (this.#next >= this.#ring.length) {
        this.#next = 0;
        this.#lapMs += probes.intervalMs[getChannel] ?? 0;
      }
      const atMs = this.#phaseOf(this.#next);
      if (atMs > toMs) return;
      this.#get(this.#ring[this.#next]?.peer ?? 0, atMs);
      this.#next++;
    }
  }

  /** It looks at a node by all channels, so its row comes too. */
  #getAfterLooks(toMs: number): void {
    for (; this.#nextLook < this.#ownLooks.length; this.#nextLook++) {
      const { to, atMs } = this.#ownLooks[this.#nextLook] ?? { to: 0, atMs: Infinity };
      if (atMs + confirmationGapMs > toMs) return;
      this.#get(to, atMs + confirmationGapMs);
      this.#isChanged = true;
    }
  }

  #getAfterCalls(toMs: number): void {
    for (; this.#nextCalled < this.#calledLooks.length; this.#nextCalled++) {
      const { peer, atMs } = this.#calledLooks[this.#nextCalled] ?? { peer: 0, atMs: Infinity };
      if (atMs > toMs) return;
      this.#get(peer, atMs);
    }
  }

  #refute(toMs: number): void {
    for (; this.#nextRefuting < this.#refuting.length; this.#nextRefuting++) {
      const { peer, atMs } = this.#refuting[this.#nextRefuting] ?? { peer: 0, atMs: Infinity };
      if (atMs > toMs) return;
      this.#get(peer, atMs);
    }
  }

  /** While there are hints to pass on, random peers get them, and their rows come back. */
  #bringNews(toMs: number): void {
    const { world } = this.#options;
    if (!world.hasNews(this.node, toMs, hintLifetimeMs)) return;
    if (this.#nextNewsMs < toMs - 1000) {
      this.#nextNewsMs = toMs;
      for (let more = 1; more < broughtForwardPerSecond; more++)
        this.#get(this.#randomPeer(), toMs);
    }
    for (; this.#nextNewsMs <= toMs; this.#nextNewsMs += 1000 / broughtForwardPerSecond)
      this.#get(this.#randomPeer(), toMs);
  }

  #randomPeer(): number {
    const { probes } = this.#options.world;
    const share = probes.share(this.node, this.#news++, newsPurpose);
    return this.#ring[Math.floor(share * this.#ring.length)]?.peer ?? 0;
  }

  /** Those that were due when it went on last. */
  #runTimers(): void {
    for (const timer of this.#timers) {
      if (timer.atMs > this.#nowMs) continue;
      this.#timers.delete(timer);
      timer.run();
    }
  }

  #numberOf(name: string): number {
    return this.#options.index.numberOf.get(name) ?? 0;
  }

  #canAsk(peer: number): boolean {
    return this.#kept.get(peer) !== undefined && this.#reaches(peer);
  }

  /** Whether the state of its own path to a peer is not unreachable. */
  #reaches(peer: number): boolean {
    const turns = this.#observed.turns(peer, getChannel, this.#nowMs);
    return turns.at(-1)?.state !== 'unreachable';
  }

  #get(peer: number, atMs: number): void {
    const { world, rows } = this.#options;
    if (!world.exchanges(this.node, peer, atMs)) return;
    const process = world.processes.at(peer, atMs);
    if (!process) return;
    const confirmedMs = atMs + exchangeMs;
    this.#heardMs.set(peer, confirmedMs);
    const kept = this.#kept.get(peer);
    const sent = rows.sent(peer, process, atMs);
    const { row, writtenMs } = sent;
    if (kept?.writtenMs === writtenMs) kept.confirmedMs = confirmedMs;
    else {
      this.#kept.set(peer, { row, writtenMs, confirmedMs });
      this.#keptPaths += row.paths.length - (kept?.row.paths.length ?? 0);
      this.#isChanged = true;
    }
    this.#noteSeen(sent, confirmedMs);
  }

  #noteSeen({ endsSeen, beginsSeen }: GeneratedRow, atMs: number): void {
    for (const causeMs of endsSeen) noteFirst(this.endsSeenMs, causeMs, atMs);
    for (const causeMs of beginsSeen) noteFirst(this.beginsSeenMs, causeMs, atMs);
  }

  *#confirmed(): Generator<readonly [peer: string, confirmedMs: number]> {
    const { names } = this.#options.world.plan.layout;
    for (const [peer, { confirmedMs }] of this.#kept) yield [names[peer] ?? '', confirmedMs];
  }

  /** From one run to the next (`cluster/findings-runner.ts`). */
  #gapMs(): number {
    const leastMs = this.#result?.opensInMs === undefined ? usualGapMs : waitingGapMs;
    const runMs = runMsPerRow * this.#options.world.nodes + runMsPerPath * this.#keptPaths;
    return Math.min(Math.max(leastMs, gapPerRun * runMs), longestGapMs);
  }

  #makeFindings(): void {
    const result = this.#withHistory(diagnose(this.#input()));
    this.#runs++;
    this.#result = result;
    for (const id of result.memory.keys()) noteFirst(this.suspectedMs, id, this.#nowMs);
    this.#ranMs = this.#nowMs;
    this.#isChanged = false;
    const againMs = Math.min(result.opensInMs ?? maxGapMs, maxGapMs);
    this.#dueMs = this.#nowMs + Math.max(againMs, this.#gapMs());
    if (result.wantsRows) this.#asker.ask();
    for (const node of result.outdated) this.#asker.askOne(node);
  }

  /** An agent that has run for long, in a cluster that was well, remembers it. */
  #withHistory(result: DiagnosisOutput): DiagnosisOutput {
    if (this.#result !== undefined || this.startedMs >= -longMs) return result;
    return { ...result, stray: { ...result.stray, watchedMs: longMs } };
  }

  #input(): DiagnosisInput {
    const { index, world } = this.#options;
    const { names } = world.plan.layout;
    const nowMs = this.#nowMs;
    const sinceMs = Math.max(this.startedMs, -longMs);
    return {
      index,
      rows: { [Symbol.iterator]: () => this.#rowsToRead() },
      silentMs: this.#ring
        .filter(({ peer }) => !this.#kept.has(peer))
        .map(({ peer }) => [names[peer] ?? '', nowMs - sinceMs] as const),
      localName: names[this.node] ?? '',
      heardMsAgo: { get: (name) => this.#heardMsAgo(index.numberOf.get(name) ?? -1) },
      probePort,
      namespace: undefined,
      targets: [],
      now: nowMs,
      wallOffsetMs: 0,
      uptimeMs: nowMs - sinceMs,
      previous: this.#result,
    };
  }

  *#rowsToRead(): Generator<ObservedRow, void> {
    const { rows } = this.#options;
    const nowMs = this.#nowMs;
    const own = rows.own(this.node, this.#process, this.#observed, nowMs);
    this.#noteSeen(own, nowMs);
    yield { row: own.row, ageMs: 0, bodyAgeMs: 0, freshness: 'fresh', areTargetsWell: true };
    for (const { row, writtenMs, confirmedMs } of this.#kept.values()) {
      const ageMs = nowMs - confirmedMs;
      const freshness = ageMs <= freshForMs(row) ? 'fresh' : 'stale';
      yield { row, ageMs, bodyAgeMs: nowMs - writtenMs, freshness, areTargetsWell: true };
    }
  }

  #heardMsAgo(peer: number): number | undefined {
    const getMs = this.#options.rows.lastGetMs(peer, this.node, this.#nowMs);
    const heardMs = Math.max(this.#heardMs.get(peer) ?? -Infinity, getMs);
    return heardMs < Math.max(this.startedMs, -longMs) ? undefined : this.#nowMs - heardMs;
  }
}

function noteFirst<Key>(map: Map<Key, number>, key: Key, atMs: number): void {
  if (!map.has(key)) map.set(key, atMs);
}
