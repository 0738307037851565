import type { ExchangeTimes } from '../../model/clock-stamps.js';
import type { Path } from '../../model/path.js';

/** What a GET carries beside the probe. The result of the probe does not depend on it. */
export interface Piggyback {
  /** The name of the header, in the request and in the answer. */
  readonly name: string;
  /** The value of the header. */
  readonly header: string;
  /** The address of this host to send from; undefined: the kernel's choice. */
  readonly localAddress?: string | undefined;
  /** Takes the header of a 200, where there was one, its body, and when it was asked for and came. It must not throw. */
  onAnswer(header: string | undefined, body: string, times: ExchangeTimes): void;
}

/** What the next GET to a path carries; undefined for nothing. */
export type CreatePiggyback = (target: Path) => Piggyback | undefined;
