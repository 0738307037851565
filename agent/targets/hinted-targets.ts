import type { Reachability } from '../model/path-state.js';
import type { Plane } from '../model/path.js';
import type { Target } from '../model/target.js';
import type { Clock } from '../platform/clock.js';
import type { EndpointPlane } from './endpoint/endpoint-plane.js';
import { maxNameservers } from './probers/resolv-conf.js';
import type { TargetMonitor } from './target-monitor.js';
import { areFew, hintSpreadMs } from './target-plan.js';
import type { TargetPlaneView } from './views.js';

/** What a hint about a target is about: a target of that definition from one plane, or one of its DNS servers. */
export interface HintedTarget {
  readonly target: string;
  readonly digest: number;
  readonly plane: Plane;
  readonly server?: number;
}

/** What hints of other agents do here. */
export interface HintedTargets {
  /** Whether this agent has a target of that name and definition, which can have that server. */
  isKnown(subject: HintedTarget): boolean;
  /** Undefined where this agent is not to probe because of hints. `sentMs` are monotonic milliseconds, -Infinity for never. */
  activity(
    subject: HintedTarget,
  ): { readonly state: Reachability; readonly sentMs: number } | undefined;
  /** Probes it once. */
  probeSoon(subject: HintedTarget): void;
  /** The probes of all agents at one hint are spread over this time. */
  spreadMs(subject: HintedTarget, change: 'failure' | 'recovery'): number;
}

/**
 * Hints make this agent probe from its node. Where few probe the target, they also make it ask its endpoint to do so; else
 * what the endpoint sees, and that one of several DNS servers fails, it finds out by itself.
 */
export function createHintedTargets(
  monitor: TargetMonitor,
  endpoint: EndpointPlane,
  clock: Clock,
): HintedTargets {
  const find = ({ target, digest }: HintedTarget) =>
    monitor.targets.find((one) => one.name === target && one.digest === digest);
  return {
    isKnown(subject) {
      const target = find(subject);
      if (!target?.from.includes(subject.plane)) return false;
      return subject.server === undefined || subject.server < serversOf(target);
    },
    activity(subject) {
      const { plane, server } = subject;
      const target = find(subject);
      if (!target?.from.includes(plane)) return undefined;
      if (!areFew(monitor.load) && (plane === 'endpoint' || server !== undefined)) return undefined;
      const stateOf = ({ state: { state }, servers }: TargetPlaneView) =>
        server === undefined ? state : (servers[server]?.state.state ?? 'unknown');
      if (plane === 'host') {
        const watched = monitor.get(target.name);
        return watched && { state: stateOf(watched.view()), sentMs: watched.sentMs };
      }
      const row = endpoint.row(target);
      if (!row) return undefined;
      const sentMs = clock.nowMs() - 1000 * row.probedSeconds;
      return { state: stateOf(endpoint.view(target)), sentMs };
    },
    probeSoon({ target, plane }) {
      if (plane === 'host') monitor.get(target)?.probeSoon();
      else endpoint.probeNow(target);
    },
    spreadMs(subject, change) {
      const target = find(subject);
      if (!target) return Infinity;
      // Both planes see a server change at the same time, so the probes at their hints fall together.
      const spreadMs = hintSpreadMs(target, monitor.load, change);
      return subject.server === undefined ? spreadMs : 2 * spreadMs;
    },
  };
}

/** How many DNS servers a target may have, on any node. */
function serversOf({ probe }: Target): number {
  if (probe.kind !== 'dns') return 0;
  return probe.dns.servers.length > 0 ? probe.dns.servers.length : maxNameservers;
}
