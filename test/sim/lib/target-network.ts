import type { Plane } from '../../../agent/model/path.js';
import type { Target } from '../../../agent/model/target.js';
import {
  defaultIntervalMs,
  defaultTimeoutMs,
} from '../../../agent/targets/definition/parse-targets.js';
import { nameHash } from '../../../agent/model/name-hash.js';
import { dnsServers, simulatedTargets, type TargetTrouble } from '../../faults/target-kinds.js';
import type { Trouble } from '../../faults/trouble.js';
import { cutOffS } from '../diagnosis/target-writer.js';

/** The targets that each simulated agent and endpoint probes, as the defaults of the targets file have them. */
export const simTargets: readonly Target[] = simulatedTargets.map((name) => ({
  name,
  probe:
    name === 'cluster-dns'
      ? { kind: 'dns', dns: { query: 'name.example', type: 'A', servers: dnsServers, expect: [] } }
      : { kind: 'tcp', tcp: { host: `${name}.example`, port: 443 } },
  from: ['host', 'endpoint'],
  intervalMs: defaultIntervalMs,
  timeoutMs: defaultTimeoutMs,
  digest: nameHash(name),
}));

/** The way from each node to the targets, with the faults of now. */
export class TargetNetwork {
  readonly #hosts: ReadonlyMap<string, readonly number[]>;
  /** The troubles of paths: who is cut off from all hosts of a target does not reach it. */
  readonly #paths: () => readonly Trouble[];
  #troubles: readonly TargetTrouble[] = [];

  constructor(hosts: ReadonlyMap<string, readonly number[]>, paths: () => readonly Trouble[]) {
    this.#hosts = hosts;
    this.#paths = paths;
  }

  begin(trouble: TargetTrouble): void {
    this.#troubles = [...this.#troubles, trouble];
  }

  end(trouble: TargetTrouble): void {
    this.#troubles = this.#troubles.filter((one) => one !== trouble);
  }

  /** Whether a probe of a target that is sent now, or of one of its servers, is not answered. */
  fails(node: number, plane: Plane, target: string, server?: number): boolean {
    return (
      this.#troubles.some(
        (one) =>
          one.target === target &&
          one.isHit(node, plane) &&
          (one.server === undefined || one.server === server),
      ) || isCutOff(this.#paths(), this.#hosts, { node, plane, target })
    );
  }
}

/** Whether the troubles of paths cut a node off from all hosts of a target. */
export function isCutOff(
  paths: readonly Trouble[],
  hosts: ReadonlyMap<string, readonly number[]>,
  look: { readonly node: number; readonly plane: Plane; readonly target: string },
): boolean {
  const troubles = paths.map((trouble) => ({ trouble, ageS: 1 }));
  return cutOffS({ troubles }, { troubles: [], intervalS: 0, wrongShare: 0, hosts }, look) > 0;
}
