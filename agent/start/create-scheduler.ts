import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { OwnConnects } from '../host/sources/own-connects.js';
import type { Protocol } from '../model/sample.js';
import type { Peers } from '../peers/peers.js';
import { systemClock } from '../platform/clock.js';
import type { EventLoop } from '../platform/event-loop.js';
import type { Problems } from '../platform/problems.js';
import { lacksFamilyOf } from '../probing/host-families.js';
import { createHttpProber } from '../probing/http/http-prober.js';
import { openTcpInfo } from '../probing/http/tcp-info.js';
import type { IcmpEngine } from '../probing/icmp/engine.js';
import type { Prober } from '../probing/prober.js';
import { groupings, type Grouping } from '../probing/schedule/group-period.js';
import { ProtocolScheduler } from '../probing/schedule/protocol-scheduler.js';
import { Scheduler } from '../probing/schedule/scheduler.js';
import { OwnFamilies } from '../probing/own-families.js';
import type { ResultStore } from '../results/result-store.js';
import type { Mesh } from './create-mesh.js';
import type { Targets } from './create-targets.js';
import { isOverloaded } from './starvation.js';

/** How long local trouble stays among the problems after it was last met. */
const notSentShownMs = 60_000;

export interface CreateSchedulerOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly problems: Problems;
  readonly icmp: IcmpEngine;
  readonly eventLoop: EventLoop;
  readonly store: ResultStore;
  readonly peers: Peers;
  readonly mesh: Mesh;
  readonly targets: Targets | undefined;
  /** Counts the connects of HTTP probes. */
  readonly connects: Pick<OwnConnects, 'note'>;
}

/** Creates the schedulers of all protocols. Each sample goes to the results, and to who else needs it. */
export async function createScheduler(options: CreateSchedulerOptions): Promise<Scheduler> {
  const { config, icmp, eventLoop, mesh, peers, targets } = options;
  const { exchange } = mesh;
  const readTcpInfo = await openTcpInfo();
  const http = createHttpProber({
    port: config.probePort,
    eventLoop,
    readTcpInfo,
    createPiggyback: (path) => targets?.ask(path) ?? exchange?.ask(path),
  });
  return new Scheduler(
    {
      ...('prober' in icmp && {
        icmp: createProtocolScheduler(options, 'icmp', icmp.prober, groupings[icmp.name]),
      }),
      http: createProtocolScheduler(options, 'http', http, groupings.http),
    },
    { clock: systemClock, expected: peers.expected },
    (path, protocol, change) => mesh.witness.noteSuspicion(path, protocol, change),
  );
}

function createProtocolScheduler(
  { config, logger, problems, eventLoop, store, peers, mesh, connects }: CreateSchedulerOptions,
  protocol: Protocol,
  prober: Prober,
  grouping: Grouping,
): ProtocolScheduler {
  const noteNotSent = (reason: string): void => {
    const text = `${protocol} probes could not be sent: ${reason}`;
    if (problems.setFor(`not-sent:${protocol}`, text, notSentShownMs)) {
      logger.warn({ protocol, reason }, 'probes could not be sent');
    }
  };
  const families = new OwnFamilies({
    clock: systemClock,
    ownIps: () => peers.directory.hostIps(peers.localName),
    lacksFamily: lacksFamilyOf,
  });
  return new ProtocolScheduler({
    prober,
    cadence: config.cadence[protocol],
    grouping,
    clock: systemClock,
    // Kernels answer and stamp echoes, so load delays no echo much.
    isOverloaded: () => protocol === 'http' && isOverloaded(eventLoop),
    zoneOf: (node) => peers.directory.zoneOf(node),
    record: (path, probed) => {
      const sample = families.explain(path.ip, probed);
      if (sample.outcome === 'not-sent') noteNotSent(sample.detail);
      if (protocol === 'http') connects.note(sample);
      peers.noteSample(protocol, sample);
      mesh.witness.noteSample(path, protocol, sample);
      return store.record(path, protocol, sample);
    },
  });
}
