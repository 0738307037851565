/** What an agent may cost with the default settings. Figures without a target are left out. */
export interface CostTarget {
  /** Of a core on which `node -e 0` takes `targetNodeStartMs`. */
  readonly cpuShare?: number;
  readonly wakeUpsPerSecond?: number;
  readonly privateBytes?: number;
}

/** The processor time of `node -e 0` on the machine that the targets are for. */
export const targetNodeStartMs = 60;

/** The targets by number of nodes. */
export const costTargets: ReadonlyMap<number, CostTarget> = new Map([
  [1, { cpuShare: 0.001, wakeUpsPerSecond: 10, privateBytes: 35e6 }],
  [12, { cpuShare: 0.006, wakeUpsPerSecond: 40 }],
  [100, { cpuShare: 0.02, privateBytes: 42e6 }],
  [1000, { cpuShare: 0.04 }],
  [5000, { cpuShare: 0.04, privateBytes: 80e6 }],
]);

/** The responder of an endpoint with its targets, while nothing changes. */
export const responderTarget: CostTarget = { cpuShare: 0.001, privateBytes: 20e6 };

/** Converts a share of this machine's core into one of the core that the targets are for. */
export function scaledShare(cpuShare: number, nodeStartMs: number): number {
  return (cpuShare * targetNodeStartMs) / nodeStartMs;
}
