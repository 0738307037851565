import type { Cell, Place } from './cells.js';
import type { Check } from './wait-for.js';

/** Holds if all checks hold; otherwise it says what the first failed check says. */
export function all(...checks: readonly Check[]): Check {
  return (cell) => checks.map((check) => check(cell)).find((lack) => lack !== undefined);
}

/** Applies the check to some cells only. */
export function where(holds: (cell: Cell) => boolean, check: Check): Check {
  return (cell) => (holds(cell) ? check(cell) : undefined);
}

/** Holds if the path is reachable and was last probed after `at` (epoch milliseconds). */
export function reachableSince(at: number): Check {
  return ({ state, failures, lastProbedAt }) =>
    state === 'reachable' && failures === 0 && lastProbedAt > at ? undefined : 'expected reachable';
}

/** Holds if the path is unreachable and gives a reason. */
export const unreachable: Check = ({ state, reason }) =>
  state === 'unreachable' && reason ? undefined : 'expected unreachable';

/** Holds if the broken paths are unreachable and all others were seen reachable since `at`. */
export function brokenOnly(isBroken: (place: Place) => boolean, at: number): Check {
  const fine = reachableSince(at);
  return (cell) => (isBroken(cell) ? unreachable(cell) : fine(cell));
}

/**
 * Holds if three things are true. Every lossy path was seen reachable since `at`. At least one of
 * them was seen to fail. Every other path was probed `cleanProbes` times in a row without a
 * failure. A lossy path may be unreachable at times, so the check remembers what it saw.
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

/**
 * Holds if the path never left the state that it had in `cells`, and was probed again since then.
 */
export function unchangedFrom(cells: readonly Cell[]): Check {
  const before = new Map(cells.map((cell) => [keyOf(cell), cell]));
  return (cell) => {
    const was = before.get(keyOf(cell));
    if (cell.state !== was?.state || cell.said?.since !== was.said?.since)
      return `expected ${was?.state} since ${was?.said?.since}, got since ${cell.said?.since}`;
    return cell.lastProbedAt === was.lastProbedAt ? 'expected to be probed again' : undefined;
  };
}

/** Holds if no reported RTT is longer than a real one can be. */
export function figuresBelow(limitMs: number): Check {
  return ({ said }) => {
    const longestMs = (said?.max ?? 0) / 1e6;
    return longestMs < limitMs ? undefined : `a round trip of ${Math.round(longestMs)} ms`;
  };
}

function keyOf({ source, target, plane, protocol }: Place): string {
  return [source, target, plane, protocol].join(' ');
}
