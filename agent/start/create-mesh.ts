import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { Exchange, type ExchangeOptions } from '../exchange/exchange.js';
import { planWithHints } from '../exchange/hints/plan-with-hints.js';
import type { Witness } from '../exchange/hints/witness.js';
import type { MeshKeys } from '../exchange/messages/mesh-keys.js';
import { TrustedSources } from '../exchange/messages/trusted-sources.js';
import type { Plan } from '../model/plan.js';
import type { Peers } from '../peers/peers.js';
import { systemClock } from '../platform/clock.js';
import type { Problems } from '../platform/problems.js';
import type { ResultStore } from '../results/result-store.js';
import { createForeignSourceReporter } from './foreign-sources.js';
import { createOtherKeyReporter } from './other-keys.js';
import type { Targets } from './create-targets.js';
import type { Stops } from './stops.js';

/** What agents tell each other, as the parts of this agent see it. With `--mesh off` it does nothing. */
export interface Mesh extends Pick<
  Exchange,
  'start' | 'update' | 'askForRows' | 'askForRowOf' | 'renewRow'
> {
  /** Takes what this agent sees with its own probes. */
  readonly witness: Pick<
    Witness,
    'noteSample' | 'noteSuspicion' | 'noteTarget' | 'noteTargetServer' | 'isTargetSeenByOthers'
  >;
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
  readonly keys: MeshKeys;
  readonly targets: Targets | undefined;
  /** Whether large packets to a node are lost. */
  readonly losesLarge: (node: string) => boolean;
  /** Called with each node whose paths changed, as this agent saw or newly heard. */
  readonly onNews: (node: string) => void;
  /** Takes what the answers of peers say of their clocks; undefined where nobody asks. */
  readonly onStamps: ExchangeOptions['onStamps'];
  readonly isStarved: () => boolean;
}

/** Creates the exchange of rows and hints with other agents, unless it is off. */
export function createMesh(options: CreateMeshOptions, stops: Stops): Mesh {
  const { config, logger, problems, store, peers, keys, targets } = options;
  const { losesLarge, onNews, onStamps, isStarved } = options;
  const { mesh } = config;
  if (!mesh) return meshOff;
  const foreignSources = createForeignSourceReporter(problems, logger, () => systemClock.nowMs());
  const exchange = new Exchange({
    peers,
    clock: systemClock,
    keys,
    isStarved,
    losesLarge,
    onNews,
    ...(onStamps && { onStamps }),
    ...(targets && { targets: targets.probing }),
    trustedSources: new TrustedSources(mesh.trustedSources),
    onForeignSource: foreignSources.note,
    onKey: createOtherKeyReporter(problems, logger, keys, () => systemClock.nowMs()),
  });
  stops.add(() => exchange.stop());
  store.onTransition(({ path, protocol, before, after }) => {
    exchange.witness.noteTransition(path, protocol, before, after);
  });
  return {
    exchange,
    witness: exchange.witness,
    start: (probing) => exchange.start(probing),
    update() {
      exchange.update();
      foreignSources.forgetOwn((hostIp) => peers.directory.nodeAt(hostIp));
    },
    askForRows: () => exchange.askForRows(),
    askForRowOf: (peer) => exchange.askForRowOf(peer),
    renewRow: () => exchange.renewRow(),
    plan: (alone) => planWithHints(alone, peers.counts().fresh + 1, peers.directory.size),
  };
}

const nothing = (): void => undefined;

const meshOff: Mesh = {
  exchange: undefined,
  start: nothing,
  update: nothing,
  witness: {
    noteSample: nothing,
    noteSuspicion: nothing,
    noteTarget: nothing,
    noteTargetServer: nothing,
    isTargetSeenByOthers: () => false,
  },
  askForRows: nothing,
  askForRowOf: nothing,
  renewRow: nothing,
  plan: (alone) => alone,
};
