import type { Agent, Engine } from '../environment/agent.js';
import type { Cadence } from '../environment/cadence.js';
import type { BenchNode } from '../environment/cluster.js';
import type { BenchEnvironment } from '../environment/environment.js';
import type { Report } from '../report/report.js';

/** What every measurement can use. */
export interface Bench {
  readonly environment: BenchEnvironment;
  readonly report: Report;
  readonly quick: boolean;
  readonly agentProgram: string;
  readonly cliProgram: string;
  /** The folder of the bench's own programs. */
  readonly programs: string;
  /** Runs an action. If it fails, the failure is reported and the bench goes on. */
  readonly attempt: (what: string, action: () => Promise<void>) => Promise<void>;
  /** The optional commands that this machine has. */
  readonly tools: ReadonlySet<string>;
}

/** One agent that probes one cluster and has finished its first sweep. */
export interface Stage extends Bench {
  readonly agent: Agent;
  readonly engine: Engine;
  readonly nodes: readonly BenchNode[];
  readonly alive: readonly BenchNode[];
  readonly deadShare: number;
  readonly icmpFiltered: boolean;
  readonly cadence: Cadence;
  /** The stage in words, for the table: `5,000 nodes, 30 % dead`. */
  readonly title: string;
}
