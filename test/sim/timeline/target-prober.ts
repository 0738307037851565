import type { Plane } from '../../../agent/model/path.js';
import type { Outcome } from '../../../agent/model/sample.js';
import { timeout } from '../../../agent/model/sample.js';
import type { Target } from '../../../agent/model/target.js';
import { DnsServers } from '../../../agent/targets/probers/dns-servers.js';
import type { TargetProber } from '../../../agent/targets/probers/target-prober.js';
import { targetThresholds } from '../../../agent/targets/target-plan.js';
import type { PausableClock } from './pausable-clock.js';
import type { TimelineNetwork } from './network.js';

export interface SimulatedTargetOptions {
  readonly node: number;
  readonly plane: Plane;
  readonly clock: PausableClock;
  readonly network: TimelineNetwork;
}

/** As the DNS prober: a server that alone changes is asked again at once, until its state is sure. */
const confirmEveryMs = 200;

/** The prober of one target from one plane of a node, through the simulated network. */
export function createTargetProber(
  { name, probe, timeoutMs }: Target,
  { node, plane, clock, network }: SimulatedTargetOptions,
): TargetProber {
  const asked = probe.kind === 'dns' ? probe.dns.servers : [];
  const servers = new DnsServers(targetThresholds);
  servers.set(asked);
  const confirming = new Set<string>();
  let isClosed = false;
  const isLost = (server?: number): boolean =>
    network.targets.fails(node, plane, name, server) || network.isStray();
  const rttMs = (): number => network.delayMs() + network.delayMs();

  function confirm(server: string, at: number): void {
    if (confirming.has(server) || !servers.isInDoubt(server)) return;
    confirming.add(server);
    clock.after(confirmEveryMs, () => {
      const sentMs = clock.nowMs();
      const isFailing = isLost(at);
      clock.after(isFailing ? timeoutMs : rttMs(), () => {
        confirming.delete(server);
        if (isClosed) return;
        servers.note(server, isFailing ? timeout : { outcome: 'reply', rttNs: 1e6 }, sentMs);
        confirm(server, at);
      });
    });
  }

  return {
    unknownBecause: undefined,
    answer: () => ({}),
    servers: () => servers.views(),
    close: () => void (isClosed = true),
    probe(_, __, settle) {
      const sentMs = clock.nowMs();
      const lost = asked.map((_, at) => isLost(at));
      const isFailing = asked.length === 0 ? isLost() : lost.every(Boolean);
      const rtt = rttMs();
      // A prober of several servers waits for all of them.
      const isLate = isFailing || lost.some(Boolean);
      return clock.after(isLate ? timeoutMs : rtt, () => {
        for (const [at, server] of asked.entries()) {
          servers.note(server, lost[at] ? timeout : { outcome: 'reply', rttNs: rtt * 1e6 }, sentMs);
        }
        const outcome: Outcome = isFailing ? timeout : { outcome: 'reply', rttNs: rtt * 1e6 };
        const tainted = clock.wasPaused(clock.nowMs() - sentMs);
        settle({ sentMs, at: clock.wallMs(), ...outcome, ...(tainted && { tainted }) });
        if (!isFailing) for (const [at, server] of asked.entries()) confirm(server, at);
      });
    },
  };
}
