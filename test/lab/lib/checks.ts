import type { Cell, Place } from './cells.js';
import type { Check } from './wait-for.js';

/** What the first of the checks that lacks something lacks. */
export function all(...checks: readonly Check[]): Check {
  return (cell) => checks.map((check) => check(cell)).find((lack) => lack !== undefined);
}

/** The check for some cells only. */
export function where(holds: (cell: Cell) => boolean, check: Check): Check {
  return (cell) => (holds(cell) ? check(cell) : undefined);
}

/** Reachable, and by a probe that came back after `at` (epoch milliseconds) and not before. */
export function reachableSince(at: number): Check {
  return ({ state, failures, lastProbedAt }) =>
    state === 'reachable' && failures === 0 && lastProbedAt > at ? undefined : 'expected reachable';
}

/** Unreachable, and it says why. */
export const unreachable: Check = ({ state, reason }) =>
  state === 'unreachable' && reason ? undefined : 'expected unreachable';

/** Unreachable where the fault is said to be, and reachable, probed since `at`, anywhere else. */
export function brokenOnly(isBroken: (place: Place) => boolean, at: number): Check {
  const fine = reachableSince(at);
  return (cell) => (isBroken(cell) ? unreachable(cell) : fine(cell));
}

/**
 * Holds once every lossy cell has been seen reachable since `at`, a failure has been seen in one of
 * them, and every other cell has been probed `cleanProbes` times in a row without one. A lossy path may be
 * unreachable at times, so only what it was seen to be counts.
 */
export function lossyOnly(
  isLossy: (place: Place) => boolean,
  at: number,
  cleanProbes: number,
): Check {
  const answered = new Set<string>();
  const clean = new Map<string, { lastProbedAt: number; count: number }>();
  let hasFailed = false;

  function checkLossy(cell: Cell): string | undefined {
    hasFailed ||= cell.failures > 0;
    if (cell.state === 'reachable' && cell.lastProbedAt > at) answered.add(keyOf(cell));
    if (!answered.has(keyOf(cell))) return 'expected to be answered at times';
    return hasFailed ? undefined : 'expected a failure on one of the lossy paths';
  }

  function checkClean(cell: Cell): string | undefined {
    const before = clean.get(keyOf(cell)) ?? { lastProbedAt: at, count: 0 };
    const count =
      cell.state !== 'reachable' || cell.failures > 0
        ? 0
        : before.count + (cell.lastProbedAt > before.lastProbedAt ? 1 : 0);
    const lastProbedAt = Math.max(before.lastProbedAt, cell.lastProbedAt);
    clean.set(keyOf(cell), { lastProbedAt, count });
    return count >= cleanProbes ? undefined : `expected ${cleanProbes} clean probes, got ${count}`;
  }

  return (cell) => (isLossy(cell) ? checkLossy(cell) : checkClean(cell));
}

/** In the state it was in then, without having left it, and probed again since. */
export function unchangedFrom(cells: readonly Cell[]): Check {
  const before = new Map(cells.map((cell) => [keyOf(cell), cell]));
  return (cell) => {
    const was = before.get(keyOf(cell));
    if (cell.state !== was?.state || cell.said?.since !== was.said?.since)
      return `expected ${was?.state} since ${was?.said?.since}, got since ${cell.said?.since}`;
    return cell.lastProbedAt === was.lastProbedAt ? 'expected to be probed again' : undefined;
  };
}

/** All its figures are of round trips that can have been. */
export function figuresBelow(limitMs: number): Check {
  return ({ said }) => {
    const longestMs = (said?.max ?? 0) / 1e6;
    return longestMs < limitMs ? undefined : `a round trip of ${Math.round(longestMs)} ms`;
  };
}

function keyOf({ source, target, plane, protocol }: Place): string {
  return [source, target, plane, protocol].join(' ');
}
