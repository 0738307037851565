import type { Outcome } from '../../../../../agent/model/sample.js';
import type { Target } from '../../../../../agent/model/target.js';
import type { Clock } from '../../../../../agent/platform/clock.js';
import type { TargetProber } from '../../../../../agent/targets/probers/target-prober.js';
import type { PodSurroundings } from '../../../../../agent/targets/definition/targets-config.js';

export function tcpTarget(name: string, more: Partial<Target> = {}): Target {
  return {
    name,
    probe: { kind: 'tcp', tcp: { host: '198.51.100.1', port: 5432 } },
    from: ['host', 'endpoint'],
    intervalMs: 5000,
    timeoutMs: 1000,
    digest: 7,
    ...more,
  };
}

/** Something that answers after a millisecond, or is silent, on a clock of the test. */
export class FakeServer {
  /** When each probe was sent. */
  readonly sentMs: number[] = [];
  isSilent = false;
  /** How it answers while it is not silent. */
  outcome: Outcome = { outcome: 'reply', rttNs: 1e6 };
  closed = 0;
  /** Of two DNS servers, the one that fails. */
  #failing: number | undefined;
  #suspected: number | undefined;
  #onServers = (): void => undefined;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly createProber = (): Promise<TargetProber> => Promise.resolve(this.prober());

  /** One of two DNS servers has not answered yet, or all have. */
  doubtServer(server?: number): void {
    this.#suspected = server;
  }

  /** From now on that one of two DNS servers fails, or none. */
  failServer(server?: number): void {
    this.#failing = server;
    this.#onServers();
  }

  prober(): TargetProber {
    return {
      unknownBecause: undefined,
      answer: () => ({ status: 200 }),
      servers: () =>
        [0, 1].map((at) => ({
          server: `10.96.0.1${at}`,
          state: {
            state: at === this.#failing ? 'unreachable' : 'reachable',
            failure:
              at === this.#suspected
                ? 'no answer yet'
                : at === this.#failing
                  ? 'Connection timed out'
                  : undefined,
            failureKind: undefined,
          },
        })),
      onServers: (listener) => void (this.#onServers = listener),
      probe: (_, timeoutMs, settle) => {
        const sentMs = this.#clock.nowMs();
        this.sentMs.push(sentMs);
        const result: Outcome = this.isSilent
          ? { outcome: 'failure', kind: 'timeout', detail: 'Connection timed out' }
          : this.outcome;
        return this.#clock.after(this.isSilent ? timeoutMs : 1, () =>
          settle({ sentMs, at: this.#clock.wallMs(), ...result }),
        );
      },
      close: () => {
        this.closed++;
      },
    };
  }
}

/** What surrounds a pod of which nothing is known but the folder of its service account. */
export const podAt = (
  serviceAccount: string,
  more: Partial<PodSurroundings> = {},
): PodSurroundings => ({
  environment: {},
  serviceAccount,
  clusterDns: [],
  clusterDomain: undefined,
  resolvConf: '/none',
  ...more,
});
