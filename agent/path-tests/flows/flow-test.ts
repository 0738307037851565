import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { connect, isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FlowsLine } from '../../../api/schema/v1/path-tests.js';
import { codeOf } from '../../platform/errors.js';
import type { Libc } from '../../platform/libc.js';
import { attemptOf, type Attempt } from './attempt.js';
import { judgeFlows } from './flow-counts.js';
import { tryLabelledPort } from './labelled-attempt.js';

const flows = 64;
const rounds = 3;
const testMs = 10_000;
/** The kernel sends a second SYN after a second: an attempt ends before, so it is one SYN. */
const attemptMs = 900;
const roundMs = (testMs - attemptMs) / rounds;
/** The ports that Linux itself takes for connections (ip_local_port_range). */
const firstPort = 32_768;
const lastPort = 60_999;
const maxDraws = 500;

type TryPort = (from: number) => Promise<Attempt>;

/**
 * Connects from 64 source ports, three times each. A refused connection passes too: its answer came.
 * Each attempt is one SYN, and a connection that is made is reset at once.
 * @param loadLibc loads the sockets that keep one flow label for each port over IPv6; left out, or where it
 * fails, the kernel draws a label for each connection
 */
export async function* testFlows(
  { ip, port }: { readonly ip: string; readonly port: number },
  signal: AbortSignal,
  loadLibc?: () => Libc,
): AsyncGenerator<FlowsLine, void, undefined> {
  const libc = isIPv6(ip) && loadLibc ? libcOf(loadLibc) : undefined;
  const tryFrom: TryPort = (from) =>
    libc
      ? tryLabelledPort(libc, { ip, port, from }, attemptMs, signal)
      : tryPort(ip, port, from, signal);
  // Each attempt under way listens to it.
  setMaxListeners(flows + 10, signal);
  const failures = new Map<number, number>();
  const used = new Set<number>();
  for (let round = 1; round <= rounds; round++) {
    const known = round === 1 ? undefined : [...failures.keys()];
    const failing: number[] = [];
    let notSent = 0;
    const note = (from: number, attempt: Attempt): void => {
      if (attempt === 'answered' || attempt === 'lost') {
        failures.set(from, (failures.get(from) ?? 0) + (attempt === 'lost' ? 1 : 0));
        if (attempt === 'lost') failing.push(from);
      } else {
        notSent++;
        failures.delete(from);
      }
    };
    const attempts: Promise<void>[] = [];
    const count = known?.length ?? flows;
    for (let index = 0; index < count; index++) {
      const from = known?.[index];
      attempts.push(
        from === undefined
          ? tryAnyPort(tryFrom, used).then(([drawn, attempt]) => note(drawn, attempt))
          : tryFrom(from).then((attempt) => note(from, attempt)),
      );
      await delay(roundMs / flows, undefined, { signal });
    }
    await Promise.all(attempts);
    signal.throwIfAborted();
    if (failures.size === 0) {
      yield { type: 'error', text: `no connection attempt could be made (${notSent} tried)` };
      return;
    }
    const tried = failures.size;
    yield { type: 'round', round, rounds, tried, failing: failing.sort((a, b) => a - b) };
  }
  const { ports, ...verdict } = judgeFlows(failures, rounds);
  yield { type: 'end', ...verdict, ports: [...ports] };
}

function libcOf(loadLibc: () => Libc): Libc | undefined {
  try {
    return loadLibc();
  } catch {
    return undefined;
  }
}

/** Tries from a port that was not used yet. Ports that other programs have are passed over. */
async function tryAnyPort(tryFrom: TryPort, used: Set<number>): Promise<[number, Attempt]> {
  for (let draw = 0; draw < maxDraws; draw++) {
    const from = randomInt(firstPort, lastPort + 1);
    if (used.has(from)) continue;
    used.add(from);
    const attempt = await tryFrom(from);
    if (attempt !== 'port-taken') return [from, attempt];
  }
  return [0, 'not-sent'];
}

function tryPort(ip: string, port: number, from: number, signal: AbortSignal): Promise<Attempt> {
  return new Promise((resolve) => {
    const socket = connect({ host: ip, port, localPort: from, autoSelectFamily: false });
    let hasEnded = false;
    const end = (attempt: Attempt): void => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      // A reset leaves nothing waiting, so the port can be used again at once.
      if (attempt === 'answered') socket.resetAndDestroy();
      else socket.destroy();
      resolve(attempt);
    };
    const cancel = (): void => end('not-sent');
    // An answer that came in time may wait to be read, if this process was kept from running.
    const timer = setTimeout(() => setImmediate(() => end('lost')), attemptMs);
    signal.addEventListener('abort', cancel, { once: true });
    socket.once('connect', () => end('answered'));
    socket.on('error', (error) => end(attemptOf(codeOf(error))));
    if (signal.aborted) cancel();
  });
}
