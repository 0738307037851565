import { planes, type Plane } from '../../../agent/model/path.js';
import type { RowTarget } from '../../../agent/model/target.js';
import type { DiagnosisTarget } from '../../../agent/diagnosis/nouns/diagnosis-target.js';
import type { Random } from '../../fuzz/random.js';
import { dnsServers, simulatedTargets, type TargetTrouble } from '../../faults/target-kinds.js';
import type { Trouble } from '../../faults/trouble.js';
import { confirmS, timeoutS, type Conditions } from './scenarios/conditions.js';

/** How agents look at targets, and what is wrong with these. */
export interface TargetConditions {
  readonly troubles: readonly TargetTrouble[];
  /** The time between two probes from one plane of a node. */
  readonly intervalS: number;
  /** The share of looks that are reported wrongly: most are mended by the next probe. */
  readonly wrongShare: number;
  /** The hosts at which each target is: a node that is cut off from all of them does not reach it. */
  readonly hosts: ReadonlyMap<string, readonly number[]>;
}

/** The definition that all simulated agents have. */
export const dnsDefinition: DiagnosisTarget = {
  name: 'cluster-dns',
  digest: 7,
  kind: 'dns',
  servers: dnsServers,
};

/** Of ten wrong looks one is wrong at the next probe too. */
export const wrongAgainShare = 0.1;
const wellForS = 7200;

/** Writes what rows say of targets. */
export class TargetWriter {
  readonly #conditions: Conditions;
  readonly #targets: TargetConditions;
  readonly #random: Random;

  constructor(conditions: Conditions, targets: TargetConditions, random: Random) {
    this.#conditions = conditions;
    this.#targets = targets;
    this.#random = random;
  }

  /** What the row of a node says, if it was written so many seconds ago. */
  write(node: number, agoS: number): RowTarget[] {
    return simulatedTargets.flatMap((target) =>
      planes.map((plane) => this.#look(node, agoS, target, plane)),
    );
  }

  #look(node: number, agoS: number, target: string, plane: Plane): RowTarget {
    const { intervalS, wrongShare, troubles } = this.#targets;
    const random = this.#random;
    const probedS = intervalS * random.next();
    const look = { target, digest: 7, plane, probedSeconds: Math.floor(probedS) };
    const own = troubles.filter((one) => one.target === target && one.isHit(node, plane));
    const begins = own.flatMap(({ server, ageS }) => (server === undefined ? [ageS] : []));
    const cutS = cutOffS(this.#conditions, this.#targets, { node, target, plane });
    const ageS = this.#failsFor(Math.max(cutS, ...begins) - agoS, probedS);
    const failure = 'timeout';
    if (ageS !== undefined) {
      const servers = target === 'cluster-dns' ? { failingServers: [...dnsServers.keys()] } : {};
      return { ...look, ...servers, state: 'unreachable', ageSeconds: ageS, failure };
    }
    const well = { ...look, state: 'reachable', ageSeconds: wellForS } as const;
    const failing = own.flatMap(({ server, ageS: beganS }) => {
      const ageSeconds = this.#failsFor(beganS - agoS, probedS);
      return server !== undefined && ageSeconds !== undefined ? [{ server, ageSeconds }] : [];
    });
    if (failing.length > 0) {
      const failingServers = failing.map(({ server }) => server);
      const ages = failing.map(({ ageSeconds }) => ageSeconds);
      return { ...well, failingServers, ageSeconds: Math.min(...ages) };
    }
    if (random.next() >= wrongShare) return well;
    const again = random.next() < wrongAgainShare ? Math.floor(intervalS) : 0;
    const ageSeconds = look.probedSeconds + again;
    return { ...look, state: 'unreachable', ageSeconds, failure };
  }

  /** For how long a node has known of what began so long ago; undefined if it has not looked since. */
  #failsFor(beganS: number, probedS: number): number | undefined {
    const { intervalS } = this.#targets;
    const knownS = beganS - confirmS - timeoutS;
    if (probedS > knownS) return undefined;
    // The first of its probes after that.
    return Math.floor(probedS + intervalS * Math.floor((knownS - probedS) / intervalS));
  }
}

/** For how many seconds a node has been cut off from all hosts of a target; 0 if it is not. */
export function cutOffS(
  { troubles }: Pick<Conditions, 'troubles'>,
  { hosts }: TargetConditions,
  {
    node,
    target,
    plane,
  }: { readonly node: number; readonly target: string; readonly plane: Plane },
): number {
  const others = (hosts.get(target) ?? []).filter((host) => host !== node);
  if (others.length === 0) return 0;
  let cutS = 0;
  for (const { trouble, ageS } of troubles) {
    if (others.every((host) => isCut(trouble, node, host, plane))) cutS = Math.max(cutS, ageS);
  }
  return cutS;
}

/** Whether new connections from one node to another fail on a plane, though both run. */
function isCut({ drops, touches }: Trouble, from: number, to: number, plane: Plane): boolean {
  if (!drops || !touches(from, to)) return false;
  const there = { from, to, plane, protocol: 'http', isNew: true } as const;
  const back = { from: to, to: from, plane, protocol: 'http', isNew: false } as const;
  return drops(there) || drops(back);
}
