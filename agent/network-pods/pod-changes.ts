import type { RowChange } from '../model/row-host.js';
import type { NetworkPod, PodContainer } from './network-pod.js';

/** What changed of the pods, without the time at which it was found. */
export interface PodChange extends Pick<RowChange, 'change' | 'about' | 'from' | 'to'> {
  /** When its kubelet says that it was, in epoch milliseconds and whole seconds; undefined where it does not say. */
  readonly at: number | undefined;
}

/** A container as it is now, or as it ran last. */
interface Known {
  readonly change: RowChange['change'];
  readonly uid: string;
  readonly isMain: boolean;
  readonly container: PodContainer;
  readonly isRunning: boolean;
}

/** What a container may be called, so that a row can name it. */
const containerName = /^[a-z0-9][a-z0-9-]{0,62}$/;
const longestAbout = 32;

/**
 * Compares the pods of kube-proxy and network plugins of one node with those before. A program is named by its main container; of
 * the others in its pod restarts alone are told.
 */
export class PodChanges {
  #known: ReadonlyMap<string, Known> | undefined;

  /** Takes all pods as they are now. The first ones are no change, and so is a pod that is listed anew while its containers run on. */
  take(pods: Iterable<NetworkPod>): PodChange[] {
    const now = containersOf(pods);
    const known = this.#known;
    this.#known = new Map([...lastRuns(known, now)]);
    if (!known) return [];
    const abouts = [...new Set([...known.keys(), ...now.keys()])];
    return abouts.flatMap((about): PodChange[] => {
      const [before, after] = [known.get(about), now.get(about)];
      const change = after ? changeOf(before, after) : before && goneOf(before);
      const kind = (after ?? before)?.change;
      return change && kind ? [{ change: kind, about, ...change }] : [];
    });
  }
}

/** What a container is compared with the next time: itself, or where it does not run now, what ran last. */
function* lastRuns(
  known: ReadonlyMap<string, Known> | undefined,
  now: ReadonlyMap<string, Known>,
): Iterable<[string, Known]> {
  for (const [about, after] of now) {
    const before = known?.get(about);
    const isLast = !after.isRunning && before?.container.runs !== undefined;
    yield [about, isLast ? { ...before, isRunning: false } : after];
  }
  for (const [about, before] of known ?? []) {
    if (before.isMain && !now.has(about)) yield [about, { ...before, isRunning: false }];
  }
}

type Values = Pick<PodChange, 'from' | 'to' | 'at'>;

function goneOf({ isMain, isRunning, container }: Known): Values | undefined {
  return isMain && isRunning ? { from: container.version, to: '', at: undefined } : undefined;
}

function changeOf(
  before: Known | undefined,
  { uid, isMain, isRunning, container }: Known,
): Values | undefined {
  const { version, runs, restarts, sinceAt: at } = container;
  if (before?.container.runs === undefined) {
    return isMain && isRunning ? { from: '', to: version, at } : undefined;
  }
  const from = before.container.version;
  if (!isRunning) {
    if (!isMain || !before.isRunning) return undefined;
    return { from, to: '', at: uid === before.uid ? at : undefined };
  }
  if (runs === before.container.runs) return undefined;
  if (uid === before.uid) return { from, to: `${version}, restart ${restarts}`, at };
  return isMain ? { from, to: version, at } : undefined;
}

/** By what they are told as: of several pods of a program the one that runs, and of these the one that started last. */
function containersOf(pods: Iterable<NetworkPod>): Map<string, Known> {
  const rank = ({ containers: [main] }: NetworkPod): readonly number[] => [
    main?.runs === undefined ? 0 : 1,
    main?.sinceAt ?? 0,
  ];
  const ordered = [...pods].sort((a, b) => {
    const [[runsA = 0, sinceA = 0], [runsB = 0, sinceB = 0]] = [rank(a), rank(b)];
    return runsB - runsA || sinceB - sinceA;
  });
  const found = new Map<string, Known>();
  const seen = new Set<string>();
  for (const { change, name, uid, containers } of ordered) {
    if (seen.has(name)) continue;
    seen.add(name);
    for (const [index, container] of containers.entries()) {
      const isMain = index === 0;
      if (!isMain && !containerName.test(container.name)) continue;
      const about = isMain ? name : `${name}:${container.name}`.slice(0, longestAbout);
      const isRunning = container.runs !== undefined;
      found.set(about, { change, uid, isMain, container, isRunning });
    }
  }
  return found;
}
