import type { Outcome } from '../../model/sample.js';
import type { DnsServers } from './dns-servers.js';

/** What became of one more query to a server. */
export interface ServerOutcome {
  readonly outcome: Outcome & { readonly tainted?: boolean };
  readonly sentMs: number;
}

export interface ServerConfirmationsOptions {
  readonly servers: DnsServers;
  /** So many failures in a row make a server unreachable. */
  readonly failures: number;
  /** Asks a server once more. Returns how to cancel it. */
  readonly ask: (server: string, settle: (outcome: ServerOutcome) => void) => () => void;
  /** Calls back later. Returns how to cancel it. */
  readonly after: (delayMs: number, callback: () => void) => () => void;
  /** Called after each further answer of a server, and each failure. */
  readonly onOutcome: () => void;
}

/**
 * Between two queries to a server of which alone it is not sure how it is: the gap with which a target that fails as a
 * whole is confirmed, so a round sends a server no more in a second either.
 */
export const serverGapMs = 500;

/** Where one server answers, others are waited for no longer: a little less than a gap, after which the schedule asks again. */
export const lateAfterMs = 400;

interface Series {
  /** The schedule asks all servers first, so this is asked only if it is still suspected then. */
  readonly isSecond: boolean;
  left: number;
  open: number;
  /** The process or the host was at fault, so it says nothing of the server. */
  isSpoilt: boolean;
  readonly cancels: Set<() => void>;
}

/**
 * Asks single servers again until their state is sure, where the target as a whole is well: one that failed, and
 * one that did not answer within a gap. The queries go out one gap apart, and none waits for the answer of another.
 * One that is known to fail is not asked again for failing once more. Where none of them answered before, the target comes
 * back as a whole, and the schedule asks all of them again: two series of queries would be too many for a server.
 */
export class ServerConfirmations {
  readonly #options: ServerConfirmationsOptions;
  readonly #series = new Map<string, Series>();
  #isClosed = false;

  constructor(options: ServerConfirmationsOptions) {
    this.#options = options;
  }

  /** @param agoMs how long ago the server was asked */
  begin(server: string, agoMs: number): void {
    const { servers } = this.#options;
    if (this.#isClosed || this.#series.has(server) || servers.isKnownToFail(server)) return;
    const isSecond = servers.areAllUnreachable;
    const series = {
      isSecond,
      left: this.#options.failures - 1,
      open: 0,
      isSpoilt: false,
      cancels: new Set<() => void>(),
    };
    this.#series.set(server, series);
    const gaps = isSecond ? 2 : 1;
    this.#later(server, series, Math.max(gaps * serverGapMs - agoMs, 0));
  }

  close(): void {
    this.#isClosed = true;
    for (const { cancels } of this.#series.values()) for (const cancel of cancels) cancel();
    this.#series.clear();
  }

  #later(server: string, series: Series, delayMs: number): void {
    this.#track(series, (done) =>
      this.#options.after(delayMs, () => {
        done();
        this.#askNow(server, series);
      }),
    );
  }

  #askNow(server: string, series: Series): void {
    const { servers, ask, onOutcome } = this.#options;
    if (series.isSecond && !servers.isSuspected(server)) {
      this.#goOn(server, series);
      return;
    }
    series.left--;
    series.open++;
    this.#track(series, (done) =>
      ask(server, ({ outcome, sentMs }) => {
        done();
        series.open--;
        series.isSpoilt ||= outcome.outcome === 'not-sent' || outcome.tainted === true;
        servers.note(server, outcome, sentMs);
        onOutcome();
        this.#goOn(server, series);
      }),
    );
    if (series.left > 0) this.#later(server, series, serverGapMs);
  }

  /** Ends a series of which nothing is under way, and begins another one while the server is suspected. */
  #goOn(server: string, series: Series): void {
    if (this.#isClosed) return;
    const isSuspected = this.#options.servers.isSuspected(server);
    const isWaiting = series.open > 0 || (series.left > 0 && isSuspected);
    if (isWaiting && !series.isSpoilt) return;
    for (const cancel of series.cancels) cancel();
    this.#series.delete(server);
    if (isSuspected && !series.isSpoilt) this.begin(server, 0);
  }

  /** Remembers how to cancel what is begun, until it is done. */
  #track(series: Series, begin: (done: () => void) => () => void): void {
    let cancel = (): void => undefined;
    cancel = begin(() => series.cancels.delete(cancel));
    series.cancels.add(cancel);
  }
}
