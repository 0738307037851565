import { isInPod, type ResponderFlags } from '../commands/responder-flags.js';
import { TrustedSources } from '../exchange/messages/trusted-sources.js';
import { endpointHeader } from '../model/hello-headers.js';
import { systemClock } from '../platform/clock.js';
import { monitorEventLoop } from '../platform/event-loop.js';
import { openIcmpEngine } from '../probing/icmp/engine.js';
import type { AnswerPiggyback } from '../serving/responder/answer.js';
import type { TargetsConfig } from '../targets/definition/targets-config.js';
import { watchTargets } from '../targets/definition/watch-targets.js';
import { createEndpointAnswer } from '../targets/endpoint/endpoint-answer.js';
import { OwnAgent } from '../targets/endpoint/own-agent.js';
import { defaultResolvConf } from '../targets/probers/resolv-conf.js';
import type { CreateTargetProber } from '../targets/probers/target-prober.js';
import { createTargetLogger } from '../targets/target-logger.js';
import { TargetMonitor } from '../targets/target-monitor.js';
import { targetThresholds } from '../targets/target-plan.js';
import { createPodMonitor } from './create-pod-monitor.js';
import { openEndpointKeys, type EndpointLog } from './endpoint-keys.js';

export interface EndpointTargetsOptions {
  readonly flags: ResponderFlags;
  readonly environment: NodeJS.ProcessEnv;
  readonly createProber: CreateTargetProber;
  readonly log: Readonly<Record<'info' | 'warn' | 'debug', EndpointLog>>;
}

/** Where the kubelet puts a pod's own identity, if it has one. */
const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Probes the targets from the pod network, as soon as the agent of this node has asked for the results: it says
 * how many nodes there are. Gives what answers that agent.
 * @throws ConfigError where the first reading of the targets fails
 */
export async function startEndpointTargets(
  options: EndpointTargetsOptions,
): Promise<{ readonly carried: Readonly<Record<string, AnswerPiggyback>>; stop(): void }> {
  const { flags, environment, createProber, log } = options;
  const config = configOf(flags, environment);
  const [keys, stopKeys] = openEndpointKeys(flags.meshKeyFile, log.warn);
  const sources = new TrustedSources(flags.agentSources);
  const clock = systemClock;
  const eventLoop = monitorEventLoop();
  // The kernel may allow ICMP to everyone (net.ipv4.ping_group_range); no other right is there to use.
  let icmp: ReturnType<typeof openIcmpEngine> | undefined;
  const monitor = new TargetMonitor({
    plane: 'endpoint',
    clock,
    budgetPerSecond: config.budgetPerSecond,
    onNotSent(target, reason) {
      if (reason !== undefined)
        log.warn({ target, reason }, 'probes of a target could not be sent');
    },
    createProber: (target) =>
      createProber(target, {
        eventLoop,
        openIcmp: () => (icmp ??= openIcmpEngine('kernel', eventLoop)),
        thresholds: targetThresholds,
      }),
  });
  monitor.onTransition(createTargetLogger(log));
  const ownAgent = await OwnAgent.open({ isTrusted: (ip) => sources.has(ip) });
  const stopWatching = await watchTargets({
    config,
    onTargets(targets) {
      monitor.setTargets(targets);
      log.info({ targets: targets.map(({ name }) => name) }, 'targets received');
    },
    report({ path, lastError }) {
      if (lastError !== undefined) {
        log.warn({ path, reason: lastError }, 'the targets file is bad; the last good one stays');
      }
    },
  });
  const pods = createPodMonitor(clock);
  const answer = createEndpointAnswer({
    nodeName: flags.nodeName,
    clock,
    keys,
    monitor,
    isOwnAgent: (ip) => ownAgent.has(ip),
    host: () => pods.seen(),
  });
  return {
    carried: { [endpointHeader]: answer },
    stop() {
      stopKeys();
      stopWatching();
      ownAgent.stop();
      monitor.stop();
      pods.stop();
      eventLoop.stop();
      void icmp?.then((engine) => 'prober' in engine && engine.prober.close());
    },
  };
}

function configOf(flags: ResponderFlags, environment: NodeJS.ProcessEnv): TargetsConfig {
  return {
    kind: flags.targets === 'auto' && isInPod(environment) ? 'kubernetes' : 'none',
    inline: [],
    file: flags.targetsFile,
    budgetPerSecond: flags.targetBudget,
    pod: {
      environment,
      serviceAccount,
      clusterDns: flags.clusterDns,
      clusterDomain: flags.clusterDomain,
      resolvConf: defaultResolvConf,
    },
  };
}
