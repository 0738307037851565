import { initialState, type PathState } from '../../../../../agent/model/path-state.js';
import type { RowTarget, Target } from '../../../../../agent/model/target.js';
import type { TargetPlaneView, TargetView } from '../../../../../agent/targets/views.js';
import { at } from './cluster.js';
import { tcpTarget } from '../../targets/lib/fake-target.js';

const dns = { query: 'kubernetes.default.svc', type: 'A', servers: [], expect: [] } as const;

/** A target that is probed every 5 s from both planes. */
export const targetOf = (name: string, more: Partial<Target> = {}): Target =>
  tcpTarget(name, { probe: { kind: 'dns', dns }, ...more });

/** A target as this agent sees it: both planes answer. */
export function viewOf(
  target: Target,
  more: Partial<TargetPlaneView> = {},
  intervalMs = target.intervalMs,
): TargetView {
  return {
    target,
    plan: {
      intervalMs,
      timeToDetectMs: 7500,
      timeToDetectWithHintsMs: 3500,
      budgetPerSecond: 50,
    },
    planes: target.from.map((plane) => ({
      plane,
      unknownBecause: undefined,
      state: reachable(),
      isLossy: false,
      isSlow: false,
      rtts: { min: 300_000, p50: 400_000, p95: 700_000, p99: 900_000, max: 900_000 },
      loss: { loss1m: 0, loss10m: 0, loss1h: undefined },
      answer: {},
      servers: [],
      ...more,
    })),
  };
}

export function reachable(more: Partial<PathState> = {}): PathState {
  return {
    ...initialState(at - 60_000, 0),
    state: 'reachable',
    rttNs: 410_000,
    lastProbedAt: at - 1000,
    ...more,
  };
}

/** What a row says of a target that answers. */
export function saidOf(target: string, more: Partial<RowTarget> = {}): RowTarget {
  return {
    target,
    digest: 7,
    plane: 'host',
    state: 'reachable',
    ageSeconds: 3600,
    probedSeconds: 2,
    p50Ns: 400_000,
    p99Ns: 900_000,
    ...more,
  };
}
