import type { Thresholds } from '../../model/path-state.js';
import type { Target } from '../../model/target.js';
import type { EventLoop } from '../../platform/event-loop.js';
import type { IcmpEngine } from '../../probing/icmp/engine.js';
import type { Prober } from '../../probing/prober.js';
import type { TargetAnswer, TargetServerView } from '../views.js';

/**
 * Probes one target from this process. It knows what it probes, so the path that `probe` is given
 * names the probe for the scheduler, and is not read.
 */
export interface TargetProber extends Prober {
  /**
   * Why this process cannot probe it at all: there is no permission for ICMP, say. Then each probe
   * settles at once as not sent.
   */
  readonly unknownBecause: string | undefined;
  /** What the last answer said of itself; empty where none came yet. */
  answer(): TargetAnswer;
  /** Of DNS, each server that is asked, in the order of the definition; of other kinds none. */
  servers(): readonly TargetServerView[];
  /** Of DNS: calls the listener where the state of a server may have changed. */
  onServers?(listener: () => void): void;
}

/** What a prober needs of the process that it runs in. */
export interface TargetProberOptions {
  readonly eventLoop: EventLoop;
  /**
   * Opens the ICMP engine, or gives the one that is open. Only targets of that kind ask for it, and
   * they do not close it.
   */
  readonly openIcmp: () => Promise<IcmpEngine>;
  /** When one of several DNS servers counts as failing. */
  readonly thresholds: Thresholds;
  /** The paths of resolv.conf and of the hosts file, where they are not the usual ones. */
  readonly resolvConf?: string;
  readonly hosts?: string;
}

/**
 * Makes the prober of a target. It loads what that kind needs and nothing else, so a process without
 * HTTP targets has no HTTP client. It does not fail: what is not there is `unknownBecause`.
 */
export type CreateTargetProber = (
  target: Target,
  options: TargetProberOptions,
) => Promise<TargetProber>;
