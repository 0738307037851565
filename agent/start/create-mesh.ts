import type { Logger } from 'pino';
import type { Config, MeshConfig } from '../config/config.js';
import { Exchange } from '../exchange/exchange.js';
import { planWithHints } from '../exchange/hints/plan-with-hints.js';
import { readKeyFile, watchKeyFile } from '../exchange/messages/key-file.js';
import { MeshKeys } from '../exchange/messages/mesh-keys.js';
import { TrustedSources } from '../exchange/messages/trusted-sources.js';
import type { Plan } from '../model/plan.js';
import type { Peers } from '../peers/peers.js';
import { systemClock } from '../platform/clock.js';
import type { Problems } from '../platform/problems.js';
import type { ResultStore } from '../results/result-store.js';
import { createForeignSourceReporter } from './foreign-sources.js';
import type { Stops } from './stops.js';

/** What agents tell each other, as the parts of this agent see it. With `--mesh off` it does nothing. */
export interface Mesh extends Pick<
  Exchange,
  'start' | 'update' | 'noteSample' | 'noteSuspicion' | 'askForRows'
> {
  /** Undefined: the GETs of this agent carry nothing, and those of others are answered plainly. */
  readonly exchange: Exchange | undefined;
  /** A plan whose time to detect includes the hints. It depends on how many peers are heard. */
  plan(alone: Plan): Plan;
}

export interface CreateMeshOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly problems: Problems;
  readonly store: ResultStore;
  readonly peers: Peers;
  readonly isStarved: () => boolean;
}

/**
 * Creates the exchange of rows and hints with other agents, unless it is off.
 * @throws ConfigError where there is to be a key and its file is not good
 */
export function createMesh(options: CreateMeshOptions, stops: Stops): Mesh {
  const { config, logger, problems, store, peers, isStarved } = options;
  const { mesh } = config;
  if (!mesh) return meshOff;
  const keys = new MeshKeys(mesh.keyFile === undefined ? [] : readKeyFile(mesh.keyFile));
  const exchange = new Exchange({
    peers,
    clock: systemClock,
    keys,
    isStarved,
    trustedSources: new TrustedSources(mesh.trustedSources),
    onForeignSource: createForeignSourceReporter(problems, logger, () => systemClock.nowMs()),
  });
  stops.add(() => exchange.stop());
  stops.add(watchKeys(mesh, options, keys));
  store.onTransition(({ path, protocol, before, after, isExpected }) => {
    if (isExpected) exchange.noteTransition(path, protocol, before, after);
  });
  return {
    exchange,
    start: (probing) => exchange.start(probing),
    update: (changes) => exchange.update(changes),
    noteSample: (path, protocol, sample) => exchange.noteSample(path, protocol, sample),
    noteSuspicion: (path, protocol, change) => exchange.noteSuspicion(path, protocol, change),
    askForRows: () => exchange.askForRows(),
    plan: (alone) => planWithHints(alone, peers.counts().fresh + 1, peers.directory.size),
  };
}

const nothing = (): void => undefined;

const meshOff: Mesh = {
  exchange: undefined,
  start: nothing,
  update: nothing,
  noteSample: nothing,
  noteSuspicion: nothing,
  askForRows: nothing,
  plan: (alone) => alone,
};

function watchKeys(
  { keyFile: path }: MeshConfig,
  { logger, problems }: CreateMeshOptions,
  keys: MeshKeys,
): () => void {
  if (path === undefined) return nothing;
  return watchKeyFile({
    path,
    onKeys: (read) => keys.replace(read),
    onProblem(reason) {
      if (reason === undefined) problems.clear('mesh-key-file');
      else if (problems.set('mesh-key-file', `the last good mesh key stays in use: ${reason}`)) {
        logger.warn({ reason }, 'the mesh key file cannot be read; the last good key stays in use');
      }
    },
  });
}
