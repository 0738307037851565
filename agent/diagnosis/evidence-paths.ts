import type { FailureKind } from '../model/failure.js';
import type { Cause, Trouble } from './cause.js';
import { channels, type Channel } from './channels.js';
import type { ClusterIndex } from './cluster-index.js';
import type { FindingEvidence } from './finding.js';
import { failureCodes } from './entry-list.js';
import type { Observations } from './observations.js';

const most = 10;
/** Looking up a path in a row takes time, and this many paths represent all. */
const sampleSize = 20;

const words: Readonly<Record<FailureKind, string>> = {
  timeout: 'Connection timed out',
  refused: 'connection refused',
  unreachable: 'no route to host',
  prohibited: 'administratively prohibited',
  reset: 'connection reset by peer',
  protocol: 'not an HTTP answer',
  status: 'not the status 200',
  'too-large': 'answer too large',
  local: 'could not be sent',
};

/** A path that a cause explains. */
export interface ExplainedPath extends Channel {
  readonly entry: number;
  readonly from: string;
  readonly to: string;
  readonly trouble: Trouble;
  readonly failure: FailureKind | undefined;
  readonly sinceAt: number;
}

/**
 * Some of the paths that a cause explains. Those of the local node come first. The rest is spread
 * over all entries, one path of each before a second one.
 */
export function samplePaths(
  cause: Cause,
  { observations, localNode, now }: { observations: Observations; localNode: number; now: number },
  index: ClusterIndex,
): ExplainedPath[] {
  const { entries, mask, trouble } = cause;
  const step = Math.max(1, Math.floor(entries.length / sampleSize));
  const [own, others]: [number[], number[]] = [[], []];
  let at = 0;
  for (const entry of entries) {
    if (observations.from[entry] === localNode) own.push(entry);
    else if (at % step === 0) others.push(entry);
    at++;
  }
  const states = observations[trouble === 'broken' ? 'fail' : trouble];
  const perEntry = [...own, ...others].slice(0, sampleSize).map((entry) => {
    const told = (states[entry] ?? 0) & mask;
    const ends = {
      from: index.nodes[observations.from[entry] ?? 0]?.name ?? '',
      to: index.nodes[observations.to[entry] ?? 0]?.name ?? '',
      sinceAt: now - 1000 * (observations.ageS[entry] ?? 0),
    };
    return channels.flatMap((channel, number): ExplainedPath[] => {
      if (((told >> number) & 1) === 0) return [];
      const failure = failureCodes[((observations.failures[entry] ?? 0) >> (4 * number)) & 15];
      return [{ entry, trouble, failure, ...channel, ...ends }];
    });
  });
  const longest = Math.max(0, ...perEntry.map(({ length }) => length));
  return Array.from({ length: longest }, (_, nth) =>
    perEntry.flatMap((paths) => paths[nth] ?? []),
  ).flat();
}

/** Up to ten paths, in the form of a finding's evidence. */
export function toEvidence(paths: readonly ExplainedPath[]): FindingEvidence[] {
  return paths.slice(0, most).map(({ from, to, plane, protocol, trouble, failure, sinceAt }) => ({
    from,
    to,
    plane,
    protocol,
    failure: failureWords(trouble, failure),
    since: new Date(sinceAt).toISOString(),
  }));
}

function failureWords(trouble: Trouble, failure: FailureKind | undefined): string {
  if (trouble === 'lossy') return 'loses probes';
  if (trouble === 'slow') return 'answers late';
  return failure === undefined ? 'no answer' : words[failure];
}

/** The failure that most paths share, in words; undefined if there is no majority. */
export function commonFailure(paths: readonly ExplainedPath[]): FailureKind | undefined {
  const counts = new Map<FailureKind, number>();
  for (const { failure } of paths) {
    if (failure) counts.set(failure, (counts.get(failure) ?? 0) + 1);
  }
  const [top] = [...counts].sort(([, a], [, b]) => b - a);
  return top && top[1] * 2 > paths.length ? top[0] : undefined;
}

/** The words for a failure. */
export function wordsOf(failure: FailureKind): string {
  return words[failure];
}

/**
 * When the cause began, in epoch milliseconds: when a tenth of its paths had failed. A single path
 * that failed much earlier than the others does not count.
 */
export function beganAt(paths: readonly ExplainedPath[], now: number): number {
  const sorted = paths.map(({ sinceAt }) => sinceAt).sort((a, b) => a - b);
  return Math.min(sorted[Math.floor(sorted.length / 10)] ?? now, now);
}
