import type { Target } from '../../model/target.js';

/** What a process was told of its targets. It is the same for the agent and the responder. */
export interface TargetsConfig {
  /** The targets that are there by themselves: those of Kubernetes, or none. */
  readonly kind: 'kubernetes' | 'none';
  /** Those that the configuration itself lists. */
  readonly inline: readonly Target[];
  /** The path of a file with more of them, or undefined. */
  readonly file: string | undefined;
  /** All agents together send one target at most this many probes a second. */
  readonly budgetPerSecond: number;
  readonly pod: PodSurroundings;
}

/** What Kubernetes tells a pod of its cluster. */
export interface PodSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder in which a pod finds its own identity, and the CA of the API server. */
  readonly serviceAccount: string;
  /** The nameservers of pods, where they were given; empty: those of resolv.conf, if it is that of a pod. */
  readonly clusterDns: readonly string[];
  /** The domain of Services, where it was given. */
  readonly clusterDomain: string | undefined;
  /** The path of resolv.conf. */
  readonly resolvConf: string;
}

/**
 * Reads all targets once: those of Kubernetes, the inline ones, those of the file. A later one of the
 * same name replaces an earlier one.
 * @throws ConfigError where the file cannot be read or is not valid
 */
export type ReadTargets = (config: TargetsConfig) => Promise<readonly Target[]>;

/** How the targets file is. */
export interface TargetsFileState {
  readonly path: string;
  /** Why it cannot be used since it was last good; undefined while all is well. */
  readonly lastError: string | undefined;
}

export interface WatchTargetsOptions {
  readonly config: TargetsConfig;
  /** Called with the targets at the start, and again with each change. */
  readonly onTargets: (targets: readonly Target[]) => void;
  /** Called when the file breaks, breaks in another way, and is good again. */
  readonly report: (state: TargetsFileState) => void;
  /** How often the file is checked, in milliseconds; by default every second. */
  readonly pollMs?: number;
  /** So long nobody may have written into it before it is read, in milliseconds; by default as `pollMs`. */
  readonly restMs?: number;
}

/**
 * Reads the targets and follows the file. A bad change leaves the last good targets. Resolves when the
 * first list was given, with how to stop.
 * @throws ConfigError where the first reading fails
 */
export type WatchTargets = (options: WatchTargetsOptions) => Promise<() => void>;
