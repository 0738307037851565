import { longestWrongMs, wrongOf, wrongTarget } from '../timeline/figures.js';
import { quantile } from '../exchange/scenarios.js';
import { wrongMsOf } from '../timeline/watch.js';
import type { SizeRound } from './run-size-round.js';

/** So many of the rounds are to be right, and an agent says so within this time in the middle. */
const rightTarget = 0.95;
const medianTargetMs = 5000;

/** What many rounds at one size gave. Times are milliseconds, Infinity for never. */
export class SizeFigures {
  readonly rounds: SizeRound[] = [];

  add(round: SizeRound): void {
    this.rounds.push(round);
  }

  /** The rounds in which some agent could know of a fault. */
  get judged(): readonly SizeRound[] {
    return this.rounds.filter(({ agents }) => agents.some(couldKnow));
  }

  get right(): readonly SizeRound[] {
    return this.judged.filter(isRight);
  }

  /** From the begin of the last fault until an agent said exactly the faults. */
  get exactAfterMs(): readonly number[] {
    return this.rounds.flatMap(({ agents }) => agents.flatMap((agent) => agent.exactAfterMs ?? []));
  }

  get wrong(): readonly SizeRound[] {
    return this.rounds.filter((round) => longestWrongIn(round) > 0);
  }

  get longestWrongMs(): number {
    return Math.max(0, ...this.rounds.map(longestWrongIn));
  }

  get meetsTargets(): boolean {
    return (
      this.right.length >= rightTarget * this.judged.length &&
      quantile(this.exactAfterMs, 0.5) <= medianTargetMs &&
      this.wrong.length <= wrongTarget * this.rounds.length &&
      this.longestWrongMs <= longestWrongMs
    );
  }

  /** All of it in one line. */
  print(nodes: number): string {
    const times = this.exactAfterMs;
    const [median, worst] = [quantile(times, 0.5), Math.max(0, ...times)];
    return [
      `size ${nodes}: ${this.right.length} of ${this.judged.length} rounds right`,
      ` median ${secondsOf(median)}${median < Infinity ? ' s' : ''}, worst ${secondsOf(worst)}; wrong in ${this.wrong.length}`,
      ` longest ${secondsOf(this.longestWrongMs)} s`,
    ].join(',');
  }
}

/** All agents of it that could know said exactly the faults, and did so still when the first of these ended. */
export function isRight({ agents }: SizeRound): boolean {
  return agents
    .filter(couldKnow)
    .every(({ exactAfterMs = Infinity, isExactAtEnd }) => exactAfterMs < Infinity && isExactAtEnd);
}

function couldKnow({ exactAfterMs }: SizeRound['agents'][number]): boolean {
  return exactAfterMs !== undefined;
}

function longestWrongIn(round: SizeRound): number {
  return Math.max(0, ...wrongOf(round).map(wrongMsOf));
}

function secondsOf(ms: number): string {
  return ms === Infinity ? 'never' : (ms / 1000).toFixed(1);
}
