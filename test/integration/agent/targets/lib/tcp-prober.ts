import { connect } from 'node:net';
import type { Outcome } from '../../../../../agent/model/sample.js';
import type { CreateTargetProber } from '../../../../../agent/targets/probers/target-prober.js';

/** A prober of TCP targets that is as simple as can be: these tests are about what becomes of its samples. */
export const createTcpProber: CreateTargetProber = ({ probe: how }) => {
  if (how.kind !== 'tcp') throw new Error(`expected a tcp target, got ${how.kind}`);
  const { host, port } = how.tcp;
  return Promise.resolve({
    unknownBecause: undefined,
    answer: () => ({ answeredBy: 'größe' }),
    servers: () => [],
    close: () => undefined,
    probe(_, timeoutMs, settle) {
      const sentMs = performance.now();
      const socket = connect({ host, port, timeout: timeoutMs });
      const end = (outcome: Outcome): void => {
        socket.removeAllListeners().on('error', () => undefined);
        socket.destroy();
        settle({ sentMs, at: Date.now(), ...outcome });
      };
      socket.once('connect', () =>
        end({ outcome: 'reply', rttNs: (performance.now() - sentMs) * 1e6 }),
      );
      socket.once('error', ({ message }) =>
        end({ outcome: 'failure', kind: 'refused', detail: message }),
      );
      socket.once('timeout', () =>
        end({ outcome: 'failure', kind: 'timeout', detail: 'timed out' }),
      );
      return () =>
        socket
          .removeAllListeners()
          .on('error', () => undefined)
          .destroy();
    },
  });
};
