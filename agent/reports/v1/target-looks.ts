import { type ObservedRow, freshForMs, type Row } from '../../model/row.js';
import type { Plane } from '../../model/path.js';
import type { RowTarget } from '../../model/target.js';
import type { Steps } from '../../platform/time-slices.js';
import type { TargetView } from '../../targets/views.js';
import { isActive, type ClusterState } from './cluster-state.js';

/** What one observer says of a target from one plane. */
export interface TargetLook {
  readonly observer: string;
  readonly target: TargetView;
  readonly plane: Plane;
  readonly said: RowTarget;
  /** It last looked at most this long ago, in milliseconds. */
  readonly lookedMs: number;
  /** It is in its state for so long, in milliseconds. */
  readonly sinceMs: number;
  readonly freshness: ObservedRow['freshness'];
  /** It probes something else by this name. */
  readonly isOther: boolean;
}

/**
 * Calls back for everything that the rows of active nodes say of targets that this agent knows. There
 * may be 5,000 rows with 32 such things each.
 */
export function* visitLooks(
  state: Pick<ClusterState, 'nodes' | 'rows' | 'targets'>,
  visit: (look: TargetLook, row: ObservedRow) => void,
): Steps<void> {
  const byName = new Map(state.targets.map((view) => [view.target.name, view]));
  if (byName.size === 0) return;
  const active = new Set(state.nodes.filter(isActive).map(({ name }) => name));
  for (const observed of state.rows) {
    const { row, ageMs, freshness } = observed;
    if (active.has(row.observer)) {
      for (const said of row.targets ?? []) {
        const target = byName.get(said.target);
        if (!target) continue;
        visit(
          {
            observer: row.observer,
            target,
            plane: said.plane,
            said,
            lookedMs: ageMs + lookedBeforeMs(said, observed, target),
            sinceMs: 1000 * said.ageSeconds + observed.bodyAgeMs,
            freshness,
            isOther: said.digest !== target.target.digest,
          },
          observed,
        );
      }
    }
    yield;
  }
}

/**
 * How long before it last confirmed its row an observer had looked, at most. Looking alone changes no
 * row, so a confirmed one may be old although its observer looks at its interval.
 */
function lookedBeforeMs(
  { probedSeconds }: RowTarget,
  { ageMs, bodyAgeMs }: ObservedRow,
  { plan, target }: TargetView,
): number {
  const written = 1000 * probedSeconds + Math.max(bodyAgeMs - ageMs, 0);
  return Math.min(written, Math.max(plan.intervalMs + target.timeoutMs, 1000 * probedSeconds));
}

/**
 * Whether a look says how the target is now: it is known, of the same target, from a fresh row, and no
 * older than two intervals.
 */
export function isRecent(look: TargetLook, row: Row): boolean {
  const { said, target, lookedMs, freshness, isOther } = look;
  if (freshness !== 'fresh' || isOther || said.state === 'unknown') return false;
  const { plan, target: definition } = target;
  return lookedMs <= 2 * plan.intervalMs + definition.timeoutMs + freshForMs(row);
}
