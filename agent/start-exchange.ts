import type { Logger } from 'pino';
import type { Config, MeshConfig } from './config/config.js';
import { Exchange } from './exchange/exchange.js';
import { readKeyFile, watchKeyFile } from './exchange/key-file.js';
import { MeshKeys } from './exchange/mesh-keys.js';
import { planWithHints } from './exchange/plan-with-hints.js';
import type { Plan } from './model/plan.js';
import { systemClock } from './platform/clock.js';
import type { EventLoop } from './platform/event-loop.js';
import type { Problems } from './platform/problems.js';
import type { Scheduler } from './probing/schedule/scheduler.js';
import { ownRow } from './reports/own-row.js';
import type { ResultStore } from './results/result-store.js';

export interface StartExchangeOptions {
  readonly config: Config;
  readonly mesh: MeshConfig;
  readonly logger: Logger;
  readonly problems: Problems;
  readonly store: ResultStore;
  readonly eventLoop: EventLoop;
  /**
   * Called once there is a node list. The scheduler is made later, because its GETs carry the
   * exchange.
   */
  readonly scheduler: () => Scheduler;
  readonly isReady: () => boolean;
}

/** The parts of the exchange that the rest of the agent needs. */
export interface RunningExchange {
  readonly exchange: Exchange;
  /** A plan whose time to detect includes the hints. It depends on how many peers are heard. */
  plan(alone: Plan): Plan;
  readonly isStarved: () => boolean;
  stop(): void;
}

/** A stall this long may have failed a probe: it is the gap between two confirmations. */
const starvingStallMs = 200;
const starvedForMs = 10_000;

/**
 * Starts the exchange of rows and hints with other agents, unless it is off.
 * @throws ConfigError where there is to be a key and its file is not good
 */
export function startExchange(options: StartExchangeOptions): RunningExchange {
  const { config, mesh, store, eventLoop, scheduler, isReady } = options;
  const { localName } = config;
  const keys = new MeshKeys(mesh.keyFile === undefined ? [] : readKeyFile(mesh.keyFile));
  const isStarved = () => eventLoop.longestStallMs(starvedForMs) >= starvingStallMs;
  const exchange: Exchange = new Exchange({
    localName,
    clock: systemClock,
    keys,
    isStarved,
    probing: {
      activity: (path, protocol) => scheduler().activity(path, protocol),
      look: (path, protocol) => scheduler().look(path, protocol),
      probeNow: (path, protocol) => scheduler().probeNow(path, protocol),
    },
    visitPaths: (visit) => store.visitPrimaryPaths(visit),
    buildRow: () =>
      ownRow({
        localName,
        store,
        isReady,
        isStarved,
        nowMs: () => systemClock.nowMs(),
        scheduler: scheduler(),
        httpCadence: config.cadence.http,
        exchange: () => exchange,
      }),
  });
  store.onTransition(({ path, protocol, before, after, isExpected }) => {
    if (isExpected) exchange.noteTransition(path, protocol, before, after);
  });
  const plan = (alone: Plan): Plan => {
    const { fresh } = exchange.observers.counts(systemClock.nowMs());
    return planWithHints(alone, fresh + 1, exchange.directory.size);
  };
  const stopWatch = watchKeys(options, keys);
  return {
    exchange,
    plan,
    isStarved,
    stop() {
      stopWatch();
      exchange.stop();
    },
  };
}

function watchKeys({ mesh, logger, problems }: StartExchangeOptions, keys: MeshKeys): () => void {
  const { keyFile: path } = mesh;
  if (path === undefined) return () => undefined;
  return watchKeyFile({
    path,
    onKeys: (read) => keys.replace(read),
    onProblem(reason) {
      if (reason === undefined) problems.clear('mesh-key-file');
      else if (problems.set('mesh-key-file', `the last good mesh key stands: ${reason}`)) {
        logger.warn({ reason }, 'the mesh key file cannot be read; the last good key stands');
      }
    },
  });
}
