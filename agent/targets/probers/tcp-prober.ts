import { connect } from 'node:net';
import type { TcpEnd } from '../../model/target.js';
import { outcomeOfConnectError } from '../../model/system-error.js';
import { codeOf, messageOf } from '../../platform/errors.js';
import { lacksFamilyOf } from '../../probing/host-families.js';
import { elapsedNs, OpenProbes, type OpenProbe } from './open-probes.js';
import { resolveHost } from './resolve-host.js';
import type { TargetProber, TargetProberOptions } from './target-prober.js';

/** Makes a connection and closes it at once. The round trip is that of the handshake. */
export function createTcpProber(
  { host, port }: TcpEnd,
  options: TargetProberOptions,
): TargetProber {
  const open = new OpenProbes(options.eventLoop);

  async function run(probe: OpenProbe): Promise<void> {
    const resolved = await resolveHost(host, probe, options);
    if (!probe.isOpen()) return;
    if ('fault' in resolved) {
      probe.end(resolved.fault);
      return;
    }
    const { ip } = resolved;
    const startedNs = process.hrtime.bigint();
    const socket = connect({ host: ip, port, autoSelectFamily: false });
    probe.onEnd(() => socket.destroy());
    let failedAtOnce = false;
    // Node makes the connect call in the next tick, and only a call that fails destroys the socket in it.
    process.nextTick(() => (failedAtOnce = socket.destroyed));
    socket.once('connect', () => probe.end(probe.reply(elapsedNs(startedNs))));
    // Errors after the end of the probe have no receiver, and must not end the process.
    socket.on('error', (error) => {
      const code = codeOf(error);
      probe.end(
        outcomeOfConnectError(code, messageOf(error), failedAtOnce, () => lacksFamilyOf(ip)),
      );
    });
  }

  return {
    unknownBecause: undefined,
    probe: (_, timeoutMs, settle) => open.start(timeoutMs, settle, run),
    answer: () => ({}),
    servers: () => [],
    close: () => open.close(),
  };
}
