import { longestWrongMs, TimelineFigures, wrongTarget } from '../timeline/figures.js';
import { quantile } from '../exchange/scenarios.js';
import type { Round } from '../timeline/run-round.js';
import type { WrongIn } from '../timeline/watch.js';

/** So many of the rounds are to be right, and an agent says so within this time in the middle. */
const rightTarget = 0.95;
const medianTargetMs = 5000;

/** What many rounds at one size gave. Times are milliseconds, Infinity for never. */
export class SizeFigures extends TimelineFigures {
  /** The rounds in which some agent could know of a fault. */
  get judged(): readonly Round[] {
    return this.rounds.filter(({ agents }) => agents.some(couldKnow));
  }

  get right(): readonly Round[] {
    return this.judged.filter(isRight);
  }

  /** The rounds in which an agent named a fault, then did not while it lasted, and then did again. */
  get cameAgain(): readonly Round[] {
    return this.rounds.filter(({ agents }) => agents.some(({ flaps }) => flaps > 0));
  }

  /** Of all agents that could know, also where a single row tells of a fault. */
  get timesMs(): readonly number[] {
    return [...this.exactAfterMs, ...this.exactWithLoneWitnessMs];
  }

  override get meetsTargets(): boolean {
    return (
      this.right.length >= rightTarget * this.judged.length &&
      quantile(this.timesMs, 0.5) <= medianTargetMs &&
      this.wrongRounds().length <= wrongTarget * this.rounds.length &&
      this.longestWrongMs() <= longestWrongMs
    );
  }

  /** All of it in one line. */
  print(nodes: number, name = 'size'): string {
    const [median, worst] = [quantile(this.timesMs, 0.5), Math.max(0, ...this.timesMs)];
    return [
      `${name} ${nodes}: ${this.right.length} of ${this.judged.length} rounds right`,
      ` median ${secondsOf(median)}${median < Infinity ? ' s' : ''}, worst ${secondsOf(worst)}; wrong ${this.#wrong()}; came again in ${this.cameAgain.length}`,
    ].join(',');
  }

  /** In what way findings were wrong. */
  printWays(): string {
    const ways: Readonly<Record<WrongIn, string>> = {
      cause: 'the cause',
      direction: 'the direction',
      repaired: 'what was repaired before',
    };
    const lines = Object.entries(ways).map(
      ([way, text]) => `${text} ${this.#wrong(way as WrongIn)}`,
    );
    const times = this.closedAfterMs;
    return `wrong by way: ${lines.join('; ')}. From the repair to no finding: median ${secondsOf(quantile(times, 0.5))}, p95 ${secondsOf(quantile(times, 0.95))}`;
  }

  #wrong(way?: WrongIn): string {
    return `in ${this.wrongRounds(way).length}, longest ${secondsOf(this.longestWrongMs(way))} s`;
  }
}

/** All agents of it that could know said exactly the faults, and did so still when the first of these ended. */
export function isRight({ agents }: Round): boolean {
  return agents
    .filter(couldKnow)
    .every(({ exactAfterMs = Infinity, isExactAtEnd }) => exactAfterMs < Infinity && isExactAtEnd);
}

function couldKnow({ exactAfterMs }: Round['agents'][number]): boolean {
  return exactAfterMs !== undefined;
}

function secondsOf(ms: number): string {
  return ms === Infinity ? 'never' : (ms / 1000).toFixed(1);
}
