import type { Plane } from '../model/path.js';
import { initialState } from '../model/path-state.js';
import type { RowTarget, Target } from '../model/target.js';
import type { Clock } from '../platform/clock.js';
import { planTarget } from './target-plan.js';
import type { TargetMonitor } from './target-monitor.js';
import type { TargetPlaneView, TargetsView, TargetView } from './views.js';

/** What is known of the targets from a plane that this process does not probe from. */
export interface OtherPlane {
  view(target: Target): TargetPlaneView;
  /** Undefined where nothing is known of it. */
  row(target: Target): RowTarget | undefined;
}

/** The targets as an agent knows them: from its node by its own probes, from the endpoint by what that tells. */
export class AgentTargets implements TargetsView {
  readonly #host: TargetMonitor;
  readonly #endpoint: OtherPlane;
  readonly #since: Moment;

  constructor(clock: Clock, host: TargetMonitor, endpoint: OtherPlane) {
    this.#since = momentOf(clock);
    this.#host = host;
    this.#endpoint = endpoint;
  }

  targets(): readonly TargetView[] {
    return this.#host.targets.map((target) => ({
      target,
      plan: planTarget(target, this.#host.load),
      planes: target.from.map((plane) => this.#view(target, plane)),
    }));
  }

  rowTargets(): readonly RowTarget[] {
    return this.#host.targets.flatMap((target) =>
      target.from.flatMap((plane) => {
        const row =
          plane === 'host' ? this.#host.get(target.name)?.row() : this.#endpoint.row(target);
        return row ? [row] : [];
      }),
    );
  }

  #view(target: Target, plane: Plane): TargetPlaneView {
    const view =
      plane === 'host' ? this.#host.get(target.name)?.view() : this.#endpoint.view(target);
    return view ?? unknownView(plane, 'it is not probed yet', this.#since);
  }
}

/** A moment by both clocks: the wall clock may be set later, and what happened stays when it was. */
export interface Moment {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Monotonic milliseconds. */
  readonly ms: number;
}

export function momentOf(clock: Clock): Moment {
  return { at: clock.wallMs(), ms: clock.nowMs() };
}

/** The view of a target from a plane of which nothing is known since then. */
export function unknownView(plane: Plane, because: string, { at, ms }: Moment): TargetPlaneView {
  return {
    plane,
    unknownBecause: because,
    state: initialState(at, ms),
    isLossy: false,
    isSlow: false,
    rtts: undefined,
    loss: { loss1m: undefined, loss10m: undefined, loss1h: undefined },
    answer: {},
    servers: [],
  };
}
