import type { Node } from '../../../../../agent/model/node.js';
import type { Path } from '../../../../../agent/model/path.js';
import { timeout, type Protocol } from '../../../../../agent/model/sample.js';
import { ExpectedPaths } from '../../../../../agent/peers/expected-paths.js';
import { NodeDirectory, type PathChanges } from '../../../../../agent/peers/node-directory.js';
import type { Cadence } from '../../../../../agent/probing/schedule/plan.js';
import { ProtocolScheduler } from '../../../../../agent/probing/schedule/protocol-scheduler.js';
import { Scheduler } from '../../../../../agent/probing/schedule/scheduler.js';
import { makeStore } from '../../../../rows/make-store.js';
import type { Random } from '../../../../fuzz/random.js';
import { FakeClock } from '../fake-clock.js';

const thresholds = { failures: 3, recovery: 2 };

export interface SimulatedSchedulerOptions {
  readonly localName: string;
  readonly cadence: Cadence;
  readonly random: Random;
  /** Whether a probe that is sent now gets no answer. */
  readonly isLost: (path: Path) => boolean;
  /** After how long the others are answered; left out, one millisecond. */
  readonly rttMs?: () => number;
  readonly onSample?: (path: Path, protocol: Protocol) => void;
}

/** The real scheduler and states of one agent, on a clock that a test advances. */
export function simulateScheduler(options: SimulatedSchedulerOptions) {
  const { localName, cadence, random, isLost, rttMs = () => 1, onSample } = options;
  const clock = new FakeClock();
  const store = makeStore({ each: thresholds, clock });
  const create = (protocol: Protocol) =>
    new ProtocolScheduler({
      prober: {
        probe(path, deadlineMs, settle) {
          const sentMs = clock.nowMs();
          const fails = isLost(path);
          return clock.after(fails ? deadlineMs : rttMs(), () => {
            onSample?.(path, protocol);
            const at = clock.nowMs();
            if (fails) settle({ ...timeout, sentMs, at });
            else settle({ outcome: 'reply', rttNs: 1e6, sentMs, at });
          });
        },
        close: () => undefined,
      },
      cadence,
      grouping: { shortestMs: 5 },
      clock,
      random: () => random.next(),
      record: (path, sample) => store.record(path, protocol, sample),
    });
  const schedulers = { icmp: create('icmp'), http: create('http') };
  const directory = new NodeDirectory();
  const expected = new ExpectedPaths(directory, localName);
  const scheduler = new Scheduler(schedulers, { clock, expected });
  /** Takes a new node list, after the results took it. */
  const update = (nodes: readonly Node[], changes: PathChanges): void => {
    directory.update(nodes, changes, clock.nowMs());
    scheduler.update(changes);
  };
  return { clock, store, scheduler, update };
}
