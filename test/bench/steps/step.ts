import type { Agent, Engine } from '../environment/agent.js';
import type { Cadence } from '../environment/cadence.js';
import type { BenchNode } from '../environment/cluster.js';
import type { BenchEnvironment } from '../environment/environment.js';
import type { Report } from '../report/report.js';

/** What every measurement has at hand. */
export interface Bench {
  readonly environment: BenchEnvironment;
  readonly report: Report;
  readonly quick: boolean;
  readonly agentProgram: string;
  readonly cliProgram: string;
  /** The folder of the bench's own programs. */
  readonly programs: string;
  /** Does something that may fail without ending the whole run; the failure is reported. */
  readonly attempt: (what: string, action: () => Promise<void>) => Promise<void>;
  /** Commands that are there. */
  readonly tools: ReadonlySet<string>;
}

/** One agent probing one cluster, settled. */
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
