import type { Round } from './run-round.js';
import { wrongMsOf, type AgentRecord, type Said, type WrongIn } from './watch.js';

/** An agent says exactly the faults within this time. */
export const exactWithinMs = 8000;
export const exactTarget = 0.95;
/** The share of rounds with a wrong finding, and for how long it may stand. */
export const wrongTarget = 0.01;
export const longestWrongMs = 2000;

/** What many rounds gave. Times are milliseconds, Infinity for never. */
export class TimelineFigures {
  readonly rounds: Round[] = [];

  add(round: Round): void {
    this.rounds.push(round);
  }

  /** Of the agents that have two rows or more for each fault. */
  get exactAfterMs(): number[] {
    return this.#times((agent) => (agent.hasLoneWitness ? undefined : agent.exactAfterMs));
  }

  /** Of the agents for which a single row tells of one of the faults. */
  get exactWithLoneWitnessMs(): number[] {
    return this.#times((agent) => (agent.hasLoneWitness ? agent.exactAfterMs : undefined));
  }

  /** How many agents could not tell a fault of a target from what they said, by the reason. */
  get undecidable(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { undecidable } of this.#agents) {
      if (undecidable === undefined) continue;
      counts.set(undecidable, (counts.get(undecidable) ?? 0) + 1);
    }
    return counts;
  }

  get closedAfterMs(): number[] {
    return this.#times(({ closedAfterMs }) => closedAfterMs);
  }

  /** From the begin of a fault until an agent named it, by kind. */
  get namedAfterMs(): Map<string, number[]> {
    return this.#byKind(({ namedAfterMs }) => namedAfterMs);
  }

  /** From the end of a fault until an agent named it no more, by kind. */
  get unnamedAfterMs(): Map<string, number[]> {
    return this.#byKind(({ unnamedAfterMs }) => unnamedAfterMs);
  }

  #byKind(of: (agent: AgentRecord) => readonly (number | undefined)[]): Map<string, number[]> {
    const byKind = new Map<string, number[]>();
    for (const { faults, agents } of this.rounds) {
      for (const [at, { what }] of faults.entries()) {
        const times = byKind.get(what) ?? [];
        byKind.set(what, times);
        for (const agent of agents) {
          const ms = of(agent)[at];
          if (ms !== undefined) times.push(ms);
        }
      }
    }
    return byKind;
  }

  /** The rounds in which something was wrong, in a certain way or in any. */
  wrongRounds(way?: WrongIn): Round[] {
    return this.rounds.filter((round) => longestWrongIn(round, way) > 0);
  }

  /** For how long a finding was wrong at most, in a certain way or in any. */
  longestWrongMs(way?: WrongIn): number {
    return Math.max(0, ...this.rounds.map((round) => longestWrongIn(round, way)));
  }

  /** How often a fault was named, then not, and then again. */
  get flaps(): number {
    return this.#agents.reduce((sum, { flaps }) => sum + flaps, 0);
  }

  get meetsTargets(): boolean {
    const exact = this.exactAfterMs.filter((ms) => ms <= exactWithinMs).length;
    return (
      exact >= exactTarget * this.exactAfterMs.length &&
      this.wrongRounds().length <= wrongTarget * this.rounds.length &&
      this.longestWrongMs() <= longestWrongMs
    );
  }

  get #agents(): AgentRecord[] {
    return this.rounds.flatMap(({ agents }) => agents);
  }

  #times(of: (agent: AgentRecord) => number | undefined): number[] {
    return this.#agents.flatMap((agent) => of(agent) ?? []);
  }
}

/** What agents of a round said although no fault was so. */
export function wrongOf({ agents }: Round): Said[] {
  return agents.flatMap(({ said }) => said.filter((one) => wrongMsOf(one) > 0));
}

function longestWrongIn(round: Round, way?: WrongIn): number {
  const times = wrongOf(round).map((said) => (way ? said.wrongMs[way] : wrongMsOf(said)));
  return Math.max(0, ...times);
}
