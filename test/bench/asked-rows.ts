import { askedPerSecond, RowAsker } from '../../agent/exchange/rows/row-asker.js';
import { intervalMsOf } from '../../agent/probing/schedule/plan.js';
import { VirtualClock } from '../sim/lib/virtual-clock.js';

/** What asking for rows brings while a finding waits for newer ones. */
export interface AskedRows {
  readonly nodes: number;
  readonly dead: number;
  readonly seconds: number;
  /** How many rows of living nodes came because they were asked for, and how many could at most. */
  readonly asked: number;
  readonly mostAsked: number;
  /** How many of the living nodes' rows are still from before, with asking and by the round alone. */
  readonly old: number;
  readonly oldByRound: number;
}

/** The default cadence of GETs. A node has a path on each plane, and the host's brings its row. */
const cadence = { intervalMs: 5000, budgetPerSecond: 40 };
/** A diagnosis runs at most twice a second. */
const everyMs = 500;

/** Runs the real asker beside a round of GETs, in virtual time. The dead nodes' rows are the oldest. */
export function measureAskedRows(nodes: number, dead: number, seconds: number): AskedRows {
  const withAsking = run(nodes, dead, seconds, true);
  const byRound = run(nodes, dead, seconds, false);
  const mostAsked = askedPerSecond * (1 + seconds);
  const { asked, old } = withAsking;
  return { nodes, dead, seconds, asked, mostAsked, old, oldByRound: byRound.old };
}

function run(nodes: number, dead: number, seconds: number, isAsking: boolean) {
  const clock = new VirtualClock();
  const intervalMs = intervalMsOf(cadence, 2 * nodes);
  const names = Array.from({ length: nodes }, (_, at) => `c/n${at + 1}`);
  const isLiving = (at: number): boolean => at % nodes >= dead;
  // So long does the round take to come to each of them again. The dead ones were skipped for a whole round.
  const confirmedMs = new Map(
    names.map((name, at) => [name, (isLiving(at) ? at / nodes - 1 : -2) * intervalMs]),
  );
  let asked = 0;
  const confirm = (name: string): void => void confirmedMs.set(name, clock.nowMs());
  const numberOf = new Map(names.map((name, at) => [name, at]));
  const isReachable = (name: string): boolean => isLiving(numberOf.get(name) ?? 0);
  const asker = new RowAsker({
    clock,
    confirmed: () => confirmedMs,
    isReachable,
    ask(name) {
      if (!isReachable(name)) return;
      asked++;
      clock.after(1, () => confirm(name));
    },
  });
  const visit = (at: number): void => {
    const name = names[at % nodes] ?? '';
    if (isLiving(at)) confirm(name);
    clock.after(intervalMs / nodes, () => visit(at + 1));
  };
  const ask = (): void => {
    asker.ask();
    clock.after(everyMs, ask);
  };
  visit(0);
  if (isAsking) ask();
  clock.runUntil(1000 * seconds);
  asker.stop();
  const old = names.filter((name, at) => isLiving(at) && (confirmedMs.get(name) ?? 0) < 0).length;
  return { asked, old };
}
