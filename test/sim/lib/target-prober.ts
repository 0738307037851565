import type { Plane } from '../../../agent/model/path.js';
import { timeout, type Outcome } from '../../../agent/model/sample.js';
import type { Target } from '../../../agent/model/target.js';
import type { Clock } from '../../../agent/platform/clock.js';
import { DnsServers } from '../../../agent/targets/probers/dns-servers.js';
import {
  lateAfterMs,
  ServerConfirmations,
} from '../../../agent/targets/probers/server-confirmations.js';
import type { TargetProber } from '../../../agent/targets/probers/target-prober.js';
import { targetThresholds } from '../../../agent/targets/target-plan.js';
import type { PausableClock } from './pausable-clock.js';
import type { SimNetwork } from './network.js';

export interface SimulatedTargetOptions {
  readonly clock: Clock;
  /** Whether a probe that is sent now is lost, or a query to a server of the target. It is called once for each. */
  readonly isLost: (server?: number) => boolean;
  /** Whether a probe of a target without servers is refused. Missing: none is. */
  readonly isRefused?: () => boolean;
  readonly rttMs: () => number;
  /** Whether the process stood still within the last so many milliseconds. */
  readonly wasPaused: (forMs: number) => boolean;
}

const refused: Outcome = { outcome: 'failure', kind: 'refused', detail: 'refused' };

/** The prober of one target from one plane of a node, through the network of a timeline. */
export function createSimTargetProber(
  target: Target,
  {
    node,
    plane,
    clock,
    network,
  }: {
    readonly node: number;
    readonly plane: Plane;
    readonly clock: PausableClock;
    readonly network: SimNetwork;
  },
): TargetProber {
  return createTargetProber(target, {
    clock,
    isLost: (server) =>
      network.targets.fails(node, plane, target.name, server) || network.isStray(),
    rttMs: () => network.delayMs() + network.delayMs(),
    wasPaused: (forMs) => clock.wasPaused(forMs),
  });
}

/** The prober of one target through a simulated network. */
export function createTargetProber(
  { probe, timeoutMs }: Target,
  { clock, isLost, isRefused, rttMs, wasPaused }: SimulatedTargetOptions,
): TargetProber {
  const asked = probe.kind === 'dns' ? probe.dns.servers : [];
  const servers = new DnsServers(targetThresholds);
  servers.set(asked);
  let onServers = (): void => undefined;
  const confirmations = new ServerConfirmations({
    servers,
    failures: targetThresholds.failures,
    after: (delayMs, callback) => clock.after(delayMs, callback),
    ask(server, settle) {
      const sentMs = clock.nowMs();
      const isFailing = isLost(asked.indexOf(server));
      const outcome: Outcome = isFailing ? timeout : { outcome: 'reply', rttNs: 1e6 };
      return clock.after(isFailing ? timeoutMs : rttMs(), () => settle({ outcome, sentMs }));
    },
    onOutcome: () => onServers(),
  });

  return {
    unknownBecause: undefined,
    answer: () => ({}),
    servers: () => servers.views(),
    onServers: (listener) => void (onServers = listener),
    close: () => confirmations.close(),
    probe(_, __, settle) {
      const sentMs = clock.nowMs();
      const lost = asked.map((_, at) => isLost(at));
      const isFailing = asked.length === 0 ? isLost() : lost.every(Boolean);
      const refuses = isRefused?.() === true;
      const rtt = rttMs();
      const reply: Outcome = { outcome: 'reply', rttNs: rtt * 1e6 };
      const note = (isWanted: (server: string, at: number) => boolean): void => {
        for (const [at, server] of asked.entries()) {
          if (!isWanted(server, at)) continue;
          servers.note(server, lost[at] ? timeout : reply, sentMs);
        }
        onServers();
      };
      const confirm = (isWanted: (server: string, at: number) => boolean): void => {
        for (const server of asked.filter(isWanted))
          confirmations.begin(server, clock.nowMs() - sentMs);
      };
      const isLate = (_: string, at: number): boolean => lost[at] === true;
      const hasLate = !isFailing && lost.some(Boolean);
      // A server that is late while another one answers is noted at its own timeout.
      if (hasLate) {
        clock.after(timeoutMs, () => {
          note(isLate);
          confirm((server) => servers.isSuspected(server));
        });
      }
      return clock.after(isFailing ? timeoutMs : hasLate ? lateAfterMs : rtt, () => {
        if (hasLate)
          for (const [at, server] of asked.entries()) if (lost[at]) servers.noteOverdue(server);
        note((server, at) => !hasLate || !isLate(server, at));
        const outcome = isFailing ? timeout : refuses ? refused : reply;
        const tainted = wasPaused(clock.nowMs() - sentMs);
        settle({ sentMs, at: clock.wallMs(), ...outcome, ...(tainted && { tainted }) });
        if (hasLate) confirm(isLate);
        if (!isFailing) confirm((server) => servers.isSuspected(server));
      });
    },
  };
}
