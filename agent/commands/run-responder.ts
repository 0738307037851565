import { defaultProbePort } from '../config/read-values.js';
import { LogOutput } from '../platform/log-output.js';
import { runUntilSignal } from '../platform/run-until-signal.js';
import { compileWasmSimply } from '../platform/v8-flags.js';
import { createAnswer } from '../serving/responder/answer.js';
import { startResponder } from '../serving/responder/responder.js';
import { hasTargets, readResponderFlags, type ResponderFlags } from './responder-flags.js';

/** The text of `meshprobe-agent responder --help`. */
export const responderHelp = `Usage: meshprobe-agent responder [options]

Answers GET /hello, for a health endpoint in which no agent runs. Where targets are configured it
probes them too, from the network of its pod, and tells the agent of its node what it sees.

Options:
  --listen-address <IP>  where to answer; repeatable (or MESHPROBE_LISTEN_ADDRESS;
                         default: every address, both families)
  --probe-port <PORT>    the port (or MESHPROBE_PROBE_PORT; default: ${defaultProbePort})
  --udp-port <PORT>      answer UDP datagrams that the mesh key has signed, and no others
                         (or MESHPROBE_UDP_PORT; default: none is answered)
  --node-name <NAME>     the node that it runs on (or MESHPROBE_NODE_NAME): who asks is told,
                         and no agent of another node is told what it sees
  --targets <none|auto>  auto: in a pod of Kubernetes, its DNS, its API server and the Service of
                         the endpoints (or MESHPROBE_TARGETS; default: auto)
  --targets-file <FILE>  more targets, the same file as the agent's (or MESHPROBE_TARGETS_FILE)
  --target-budget <N>    at most this many probes a second of one target by all nodes together,
                         the same as the agent's (or MESHPROBE_TARGET_BUDGET; default: 50)
  --cluster-dns <IP>     a nameserver of the pods; repeatable (or MESHPROBE_CLUSTER_DNS;
                         default: those of resolv.conf)
  --cluster-domain <NAME>
                         the domain of the Services (or MESHPROBE_CLUSTER_DOMAIN;
                         default: that of resolv.conf, else cluster.local)
  --mesh-key-file <FILE> the secret of all agents: only who has it is told what this sees
                         (or MESHPROBE_MESH_KEY_FILE), and may ask for throughput tests
  --throughput-insecure  take part in throughput tests without a mesh key: anyone who can reach
                         this may then ask for one (or MESHPROBE_THROUGHPUT_INSECURE=true)
  --agent-source <IP>    where the agent of this node sends from, or a network; repeatable; not
                         needed with a mesh key (or MESHPROBE_AGENT_SOURCE; default: the
                         addresses of this host or pod, and the default gateway)
  -h, --help             this text

Example:
  meshprobe-agent responder --listen-address 10.244.1.2 --probe-port 4240
`;

/**
 * Runs the responder alone. Without targets it loads only Node's own modules, and koffi where its log
 * goes to a socket.
 * @throws ConfigError for bad input, StartError where an address cannot be listened on
 */
export async function runResponder(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const flags = readResponderFlags(argv, environment);
  if (flags.wantsHelp) {
    process.stdout.write(responderHelp);
    return 0;
  }
  const output = await LogOutput.open(1, (lines) => log('warn')({ lines }, 'log lines were lost'));
  const log = (level: string) => (facts: object, msg: string) => {
    output.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...facts, msg })}\n`);
  };
  const logs = { info: log('info'), warn: log('warn'), debug: () => undefined };
  return runUntilSignal({ info: log('info'), fatal: log('fatal') }, async (onFailure) => {
    const { addresses, port, nodeName } = flags;
    const targets = await startTargets(flags, environment, logs);
    const throughput = await startThroughput(flags, logs);
    const answer = createAnswer({
      nodeName,
      ...(targets && { carried: targets.carried }),
      upgrade: throughput?.upgrade,
    });
    const stopUdp = await startUdp(flags, logs.warn, onFailure);
    const responder = await startResponder({ addresses, port, onFailure, answer });
    log('info')({ addresses: responder.addresses }, 'responder is answering');
    return async () => {
      targets?.stop();
      throughput?.stop();
      await stopUdp?.();
      await responder.stop();
    };
  });
}

/** Answers datagrams where that is asked for, and loads what it takes only then. */
async function startUdp(
  flags: ResponderFlags,
  warn: (facts: object, message: string) => void,
  onFailure: (reason: Error) => void,
) {
  if (flags.udpPort === undefined) return undefined;
  if (flags.meshKeyFile === undefined) {
    warn({}, 'no datagram is answered: an endpoint answers only what a mesh key has signed');
    return undefined;
  }
  const { startEndpointUdp } = await import('../start/start-endpoint-udp.js');
  return startEndpointUdp(flags, flags.udpPort, warn, onFailure);
}

/** Takes part in throughput tests where anybody may ask for one, and loads what it takes only then. */
async function startThroughput(
  flags: ResponderFlags,
  log: Readonly<Record<'info' | 'warn', (facts: object, message: string) => void>>,
) {
  if (flags.meshKeyFile === undefined && !flags.throughputIsInsecure) return undefined;
  const { startEndpointThroughput } = await import('../start/start-endpoint-throughput.js');
  return startEndpointThroughput(flags, log);
}

/** Starts the probing of targets where there are any, and loads what it takes only then. */
async function startTargets(
  flags: ResponderFlags,
  environment: NodeJS.ProcessEnv,
  log: Readonly<Record<'info' | 'warn' | 'debug', (facts: object, message: string) => void>>,
) {
  if (!hasTargets(flags, environment)) return undefined;
  compileWasmSimply();
  const { startEndpointTargets } = await import('../start/start-endpoint-targets.js');
  const { createTargetProber } = await import('../targets/probers/create-target-prober.js');
  return startEndpointTargets({ flags, environment, log, createProber: createTargetProber });
}
