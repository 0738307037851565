import { openSync, readSync } from 'node:fs';
import { onTurn } from './loop-turns.js';

/** What this process knows about the time in which it could not run. */
export interface EventLoop {
  /** Starts one measurement. */
  startMeasurement(): Measurement;
  /**
   * The longest stall that ended within the last `withinMs` milliseconds; at most, and by default,
   * one minute. A stall is a time in which the event loop could do nothing else: because of work of this
   * process at a stretch, or because the process got no processor.
   */
  longestStallMs(withinMs?: number): number;
  /**
   * The longest time within one such stall in which this thread did not run, though it had work.
   * Long work of this process is a stall and no starvation.
   */
  longestStarvationMs(withinMs?: number): number;
  /** The longest time within one such stall in which this thread ran: work of this process at a stretch. */
  longestWorkMs(withinMs?: number): number;
  /**
   * How long this thread waited for a processor within the last ten seconds, in milliseconds; 0 if the
   * kernel does not tell.
   */
  recentWaitMs(): number;
  stop(): void;
}

/** How long the process could not run since a measurement began. */
export interface Measurement {
  /** Whether a round trip that was timed in this process is unreliable. */
  isUnreliable(rttNs: number): boolean;
  /** How long the event loop stood still, in milliseconds. */
  stalledMs(): number;
  /**
   * How long this thread worked or waited for a processor, in nanoseconds. An event that it waited
   * for was seen at most that much too late, wherever the stalls fell.
   */
  busyNs(): number;
  /** The measurement is over. It can still be asked. A second call does nothing. */
  end(): void;
}

interface Stall {
  readonly fromMs: number;
  readonly toMs: number;
  /** How much of it this thread neither ran nor waited for events. */
  readonly starvedMs: number;
  /** How much of it this thread ran, at the most. */
  readonly workedMs: number;
}

/** What this thread has done so far, in nanoseconds. */
interface ThreadTimes {
  /** It ran on a processor. */
  readonly ranNs: number;
  /** It waited for a processor; 0 if the kernel does not tell. */
  readonly waitedNs: number;
}

/** A moment, and what the thread had done until then. */
interface Mark extends ThreadTimes {
  readonly atMs: number;
  readonly idleMs: number;
}

/** Between two checks while something is measured, and while nothing is. */
const checkEveryMs = 20;
const restEveryMs = 1000;
/** A check that comes later than this was kept waiting by more than the timer's own coarseness. */
const lateMs = 10;
const keptMs = 60_000;
const recentMs = 10_000;
/**
 * A wait for a processor makes a round trip unreliable if it is longer than this and longer than a
 * quarter of the round trip.
 */
const tolerableWaitNs = 1e6;
/** What the kernel says of the thread holds for this long: much less than the wait that is tolerable. */
const threadTimesKeptMs = 0.2;
/** So does the work of this process. Some comes with every probe. */
const tolerableBusyNs = 4e6;
/** While nothing is measured, the loop is busy with small things for less than this between two checks. */
const usuallyBusyMs = 50;
/** A process that starts has much to do at once. It is watched as if something were measured. */
const startMs = 10_000;

/**
 * Watches the event loop with a check every twenty milliseconds while something is measured. A check
 * that comes more than ten milliseconds too late ends a stall, whatever caused it: long work of this
 * process, a stopped process or a busy processor. Shorter stalls, and those right after a check, show
 * in the busy time of the thread.
 *
 * While nothing is measured, a check wakes the process once a second. A stall may then begin and
 * end between two checks, so the busy time between them counts as one stall where it is long. That
 * is an error on the safe side. Much work in parts is none: after twenty milliseconds of work the next
 * slice of long work, the next tick of the clock, or the end of a turn with events of servers checks too.
 * @param watchMs it is watched more closely for so long
 */
export function monitorEventLoop(watchMs = startMs): EventLoop {
  const stalls: Stall[] = [];
  const threadTimes = openThreadTimes();
  const mark = (): Mark => ({
    atMs: performance.now(),
    ...threadTimes(),
    idleMs: performance.nodeTiming.idleTime,
  });
  let last = mark();
  /** One mark a second. The first one is the newest that is not recent. */
  const marks = [last];
  let everyMs = restEveryMs;
  let measurements = 0;
  /** The stall since the last check; undefined if there was none. */
  const stallUntil = ({ atMs, ranNs, idleMs }: Mark): Stall | undefined => {
    const lateFromMs = last.atMs + everyMs;
    const busyMs = atMs - last.atMs - (idleMs - last.idleMs);
    const isLate = atMs > lateFromMs + lateMs;
    const wasBusy = everyMs === restEveryMs && busyMs >= usuallyBusyMs;
    if (!isLate && !wasBusy) return undefined;
    const fromMs = Math.min(isLate ? lateFromMs : atMs, wasBusy ? atMs - busyMs : atMs);
    const ranMs = (ranNs - last.ranNs) / 1e6;
    const starvedMs = Math.min(Math.max(busyMs - ranMs, 0), atMs - fromMs);
    return { fromMs, toMs: atMs, starvedMs, workedMs: Math.min(ranMs, atMs - fromMs) };
  };
  const check = (): void => {
    const now = mark();
    const stall = stallUntil(now);
    last = now;
    if (stall) stalls.push(stall);
    while (stalls[0] && stalls[0].toMs < now.atMs - keptMs) stalls.shift();
    if (now.atMs - (marks.at(-1) as Mark).atMs >= restEveryMs) marks.push(now);
    while (marks[1] && marks[1].atMs <= now.atMs - recentMs) marks.shift();
  };
  let timer = setInterval(check, everyMs).unref();
  const checkEvery = (ms: number): void => {
    check();
    everyMs = ms;
    clearInterval(timer);
    timer = setInterval(check, ms).unref();
  };
  const stopListening = onTurn(() => {
    if (everyMs !== restEveryMs) return;
    const idleMs = performance.nodeTiming.idleTime - last.idleMs;
    if (performance.now() - last.atMs - idleMs >= checkEveryMs) check();
  });
  const waitedForCpuNs = () => threadTimes().waitedNs;
  const stallsUntil = (nowMs: number): Stall[] => {
    // While something is measured this is asked often, and mostly the next check is not even due.
    const isEarly = everyMs === checkEveryMs && nowMs <= last.atMs + everyMs + lateMs;
    const open = isEarly ? undefined : stallUntil(mark());
    return open ? [...stalls, open] : stalls;
  };
  const recentStalls = (withinMs: number): Stall[] => {
    const nowMs = performance.now();
    return stallsUntil(nowMs).filter(({ toMs }) => toMs > nowMs - withinMs);
  };
  const stalledMs = (sinceMs: number): number => {
    const known = stallsUntil(performance.now());
    let sumMs = 0;
    for (let i = known.length - 1; i >= 0; i--) {
      const { fromMs, toMs } = known[i] as Stall;
      if (toMs <= sinceMs) break;
      sumMs += toMs - Math.max(fromMs, sinceMs);
    }
    return sumMs;
  };
  const eventLoop: EventLoop = {
    startMeasurement() {
      if (measurements++ === 0) checkEvery(checkEveryMs);
      let hasEnded = false;
      const sinceMs = performance.now();
      const waitedNs = waitedForCpuNs();
      const idleMs = performance.nodeTiming.idleTime;
      const waitNs = (): number => waitedForCpuNs() - waitedNs;
      // A wait for a processor in the middle of work counts twice. That is an error on the safe
      // side.
      const busyNs = (): number => {
        const elapsedMs = performance.now() - sinceMs;
        return (elapsedMs - (performance.nodeTiming.idleTime - idleMs)) * 1e6 + waitNs();
      };
      return {
        isUnreliable(rttNs) {
          const isOver = (ns: number, tolerableNs: number): boolean =>
            ns > tolerableNs && ns > rttNs / 4;
          return (
            isOver(waitNs(), tolerableWaitNs) ||
            isOver(busyNs(), tolerableBusyNs) ||
            stalledMs(sinceMs) > 0
          );
        },
        stalledMs: () => stalledMs(sinceMs),
        busyNs,
        end() {
          if (!hasEnded && --measurements === 0) checkEvery(restEveryMs);
          hasEnded = true;
        },
      };
    },
    longestStallMs: (withinMs = keptMs) =>
      Math.max(0, ...recentStalls(withinMs).map(({ fromMs, toMs }) => toMs - fromMs)),
    longestStarvationMs: (withinMs = keptMs) =>
      Math.max(0, ...recentStalls(withinMs).map(({ starvedMs }) => starvedMs)),
    longestWorkMs: (withinMs = keptMs) =>
      Math.max(0, ...recentStalls(withinMs).map(({ workedMs }) => workedMs)),
    recentWaitMs: () => (waitedForCpuNs() - (marks[0] as Mark).waitedNs) / 1e6,
    stop() {
      stopListening();
      clearTimeout(startTimer);
      clearInterval(timer);
    },
  };
  const start = eventLoop.startMeasurement();
  const startTimer = setTimeout(() => start.end(), watchMs).unref();
  return eventLoop;
}

/**
 * What this thread has done so far. Where the kernel does not tell, the time of all threads of this
 * process counts as the time that it ran.
 */
function openThreadTimes(): () => ThreadTimes {
  const text = Buffer.alloc(96);
  try {
    // The file stays that of the thread that opened it (proc(5)).
    const file = openSync('/proc/thread-self/schedstat', 'r');
    let known: ThreadTimes = { ranNs: 0, waitedNs: 0 };
    let readMs = -Infinity;
    return () => {
      // The start and the end of a measurement ask several times at once.
      const nowMs = performance.now();
      if (nowMs - readMs < threadTimesKeptMs) return known;
      const bytes = readSync(file, text, 0, text.length, 0);
      const [ranNs, waitedNs] = text.toString('latin1', 0, bytes).split(' ');
      known = { ranNs: Number(ranNs ?? 0), waitedNs: Number(waitedNs ?? 0) };
      readMs = nowMs;
      return known;
    };
  } catch {
    return () => {
      const { user, system } = process.cpuUsage();
      return { ranNs: (user + system) * 1000, waitedNs: 0 };
    };
  }
}
