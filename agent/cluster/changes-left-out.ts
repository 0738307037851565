import type { Clock } from '../platform/clock.js';
import { TokenBuckets } from '../platform/token-buckets.js';
import { withCommas } from '../model/whole-number.js';
import type { Change } from '../reports/event-log.js';

/** So many changes of a host may come at once, and one in this time in the long run: an agent that lies must not fill the log. */
const mostAtOnce = 16;
const oneInMs = 60_000;

export interface ChangesLeftOutOptions {
  readonly clock: Pick<Clock, 'nowMs' | 'wallMs' | 'after'>;
  /** Takes the one event of what was left out of a node for a minute. */
  readonly tell: (change: Change) => void;
}

interface LeftOut {
  count: number;
  readonly sinceWallMs: number;
  readonly cancel: () => void;
}

/** Bounds how many changes of a node become events, and says how many did not. */
export class ChangesLeftOut {
  readonly #options: ChangesLeftOutOptions;
  readonly #left = new TokenBuckets({ most: mostAtOnce, perSecond: 1000 / oneInMs });
  readonly #nodes = new Map<string, LeftOut>();

  constructor(options: ChangesLeftOutOptions) {
    this.#options = options;
  }

  /** Whether a change of a node may become an event. If not, it is counted. */
  take(node: string): boolean {
    const { clock } = this.#options;
    if (this.#left.take(node, clock.nowMs())) return true;
    const known = this.#nodes.get(node);
    if (known) known.count++;
    else {
      const cancel = clock.after(oneInMs, () => this.#tellOf(node));
      this.#nodes.set(node, { count: 1, sinceWallMs: clock.wallMs(), cancel });
    }
    return false;
  }

  /** Says now what was left out of nodes that are listed no more. */
  retain(isListed: (node: string) => boolean): void {
    for (const node of this.#nodes.keys()) if (!isListed(node)) this.#tellOf(node);
  }

  /** Says what was left out until now. */
  stop(): void {
    for (const node of this.#nodes.keys()) this.#tellOf(node);
  }

  #tellOf(node: string): void {
    const left = this.#nodes.get(node);
    if (!left) return;
    left.cancel();
    this.#nodes.delete(node);
    const changes = left.count === 1 ? '1 more change' : `${withCommas(left.count)} more changes`;
    this.#options.tell({
      type: 'change',
      at: new Date(this.#options.clock.wallMs()).toISOString(),
      node,
      foundAt: new Date(left.sinceWallMs).toISOString(),
      withinSeconds: 0,
      change: 'left-out',
      text: `${changes} left out: it told more than ${mostAtOnce} at once and one a minute`,
      from: '',
      to: '',
    });
  }
}
