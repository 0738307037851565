import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { codeOf } from '../platform/errors.js';
import type { Prober } from '../probing/prober.js';
import type { Path } from '../model/path.js';
import type { Sample } from '../model/sample.js';
import type { Check } from './checks.js';
import type { Report } from './health.js';

const askTimeoutMs = 2000;

/**
 * The agent asks its own responder on every listen address, as a peer would. It does not count for
 * liveness: a restart does not bring back an address that left the machine.
 */
export function responderCheck(
  prober: Prober,
  listenAddresses: readonly string[],
  localName: string,
): Check {
  return {
    name: 'responder',
    everyMs: 10_000,
    timeoutMs: 40_000,
    allowedFailures: 1,
    live: false,
    ready: true,
    async run(signal) {
      const asked = askedAddresses(listenAddresses);
      const failures = await Promise.all(
        asked.map(async (ip) => {
          const sample = await askOnce(prober, { node: localName, plane: 'host', ip }, signal);
          return sample.outcome === 'reply' ? [] : [`${ip}: ${sample.detail}`];
        }),
      );
      const failed = failures.flat();
      if (failed.length === 0) return { ok: true, message: `answers on ${asked.join(', ')}` };
      return { ok: false, message: `GET /hello failed on ${failed.join(', ')}` };
    },
  };
}

function askOnce(prober: Prober, target: Path, signal: AbortSignal): Promise<Sample> {
  return new Promise((resolve, reject) => {
    let cancel = (): void => undefined;
    const stop = (): void => {
      cancel();
      reject(new Error('nobody waits for the answer any more'));
    };
    signal.addEventListener('abort', stop, { once: true });
    cancel = prober.probe(target, askTimeoutMs, (sample) => {
      signal.removeEventListener('abort', stop);
      resolve(sample);
    });
  });
}

/** Where to ask a listener. A wildcard address stands for the loopback addresses that exist. */
function askedAddresses(listenAddresses: readonly string[]): string[] {
  const listened = listenAddresses.length > 0 ? listenAddresses : ['::'];
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const loopback6 = own.some(({ address }) => address === '::1') ? ['::1'] : [];
  const asked = listened.flatMap((ip) => {
    if (ip === '0.0.0.0') return ['127.0.0.1'];
    if (ip !== '::') return [ip];
    // Beside other addresses it listens for its own family alone.
    return listened.length > 1 ? loopback6 : ['127.0.0.1', ...loopback6];
  });
  return [...new Set(asked)];
}

/**
 * Whether something accepts connections on the socket's path. It counts for liveness, because a
 * restart brings back a socket whose file is gone. A busy socket still accepts, and one that could
 * not be tried for want of a descriptor is no failure.
 */
export function socketCheck(path: string): Check {
  return {
    name: 'api-socket',
    everyMs: 10_000,
    timeoutMs: 40_000,
    allowedFailures: 2,
    live: true,
    ready: true,
    run: () => tryToConnect(path),
  };
}

function tryToConnect(path: string): Promise<Report> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (report: Report): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(report);
    };
    const well = { ok: true, message: `accepts connections on ${path}` };
    const timer = setTimeout(
      () => end({ ok: false, message: `${path} did not accept within ${askTimeoutMs} ms` }),
      askTimeoutMs,
    );
    socket.once('connect', () => end(well));
    socket.on('error', (error) => {
      const code = codeOf(error);
      // A full backlog has a live process behind it.
      if (code === 'EAGAIN') end(well);
      // The check has no descriptor for itself. That says nothing of the socket.
      else if (code === 'EMFILE' || code === 'ENFILE') {
        const message = `${path} could not be tried: too many open files (${code})`;
        end({ ok: true, message, note: true });
      } else if (code === 'ENOENT') end({ ok: false, message: `${path} is gone` });
      else end({ ok: false, message: `${path}: ${error.message}` });
    });
  });
}
