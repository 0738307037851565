import type { AdminSource } from '../../api/routes/admin.js';
import type { Logger } from 'pino';
import type { Cluster } from '../cluster/cluster.js';
import type { V1Bodies } from '../cluster/v1-bodies.js';
import type { Config } from '../config/config.js';
import type { HostMonitor } from '../host/host-monitor.js';
import { exchangeHeader } from '../model/hello-headers.js';
import type { EventLoop } from '../platform/event-loop.js';
import type { Problems } from '../platform/problems.js';
import type { ResultStore } from '../results/result-store.js';
import type { Selfcheck } from '../selfcheck/create-selfcheck.js';
import { startApiListener } from '../serving/api-listener.js';
import { startMetricsListener } from '../serving/metrics-listener.js';
import { createAnswer } from '../serving/responder/answer.js';
import { startResponder } from '../serving/responder/responder.js';
import { createAgentMetrics } from './create-agent-metrics.js';
import type { Mesh } from './create-mesh.js';
import type { AgentNotices } from './create-notices.js';
import type { Throughput } from './create-throughput.js';
import type { Stops } from './stops.js';
import type { Udp } from './create-udp.js';

export interface StartListenersOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly problems: Problems;
  readonly pageFolder: URL;
  readonly source: AdminSource;
  readonly cluster: Cluster;
  readonly v1: V1Bodies;
  readonly store: ResultStore;
  readonly eventLoop: EventLoop;
  readonly mesh: Mesh;
  readonly selfcheck: Selfcheck;
  readonly udp: Udp | undefined;
  readonly host: HostMonitor | undefined;
  readonly throughput: Throughput;
  readonly notices: AgentNotices | undefined;
  readonly onFailure: (reason: Error) => void;
}

/**
 * Starts the responder, then the JSON API over TCP and the metrics where they are asked for.
 * @throws StartError where a port cannot be had
 */
export async function startListeners(options: StartListenersOptions, stops: Stops): Promise<void> {
  const { config, mesh, throughput, onFailure } = options;
  const { exchange } = mesh;
  const responder = await startResponder({
    addresses: config.listenAddresses,
    port: config.probePort,
    onFailure,
    answer: createAnswer({
      nodeName: config.localName,
      upgrade: throughput.upgrade,
      ...(exchange && {
        carried: {
          [exchangeHeader]: (header, remoteAddress) => exchange.answer(header, remoteAddress),
        },
      }),
    }),
  });
  stops.add(() => responder.stop());
  if (config.apiListen || config.metricsListen) await startTcpListeners(options, stops);
}

async function startTcpListeners(options: StartListenersOptions, stops: Stops): Promise<void> {
  const { config, logger, problems, pageFolder, v1, source, throughput, onFailure } = options;
  const metrics = createAgentMetrics(options);
  const { apiListen, metricsListen } = config;
  if (apiListen) {
    stops.add(
      await startApiListener({
        at: apiListen,
        tokenFile: config.apiTokenFile,
        onTokenProblem(reason) {
          if (reason === undefined) problems.clear('api-token-file');
          else problems.set('api-token-file', `the last good API token stays in use: ${reason}`);
        },
        allowedHosts: config.apiAllowedHosts,
        corsOrigins: config.apiCorsOrigins,
        pageFolder,
        source: {
          status: source.status,
          history: source.history,
          v1,
          throughputTests: throughput.tests,
        },
        metrics,
        logger,
        onFailure,
      }),
    );
  }
  if (metricsListen) {
    stops.add(
      await startMetricsListener({ at: metricsListen, source: metrics, logger, onFailure }),
    );
  }
}
