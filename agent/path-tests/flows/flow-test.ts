import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FlowsLine } from '../../../api/schema/v1/path-tests.js';
import { codeOf } from '../../platform/errors.js';
import { judgeFlows } from './flow-counts.js';

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

/** What became of one connection attempt; `not-sent` says nothing of the network. */
type Attempt = 'answered' | 'lost' | 'port-taken' | 'not-sent';

/**
 * Connects from 64 source ports, three times each. A refused connection passes too: its answer came.
 * Each attempt is one SYN, and a connection that is made is reset at once.
 */
export async function* testFlows(
  { ip, port }: { readonly ip: string; readonly port: number },
  signal: AbortSignal,
): AsyncGenerator<FlowsLine, void, undefined> {
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
          ? tryAnyPort(ip, port, used, signal).then(([drawn, attempt]) => note(drawn, attempt))
          : tryPort(ip, port, from, signal).then((attempt) => note(from, attempt)),
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

/** Tries from a port that was not used yet. Ports that other programs have are passed over. */
async function tryAnyPort(
  ip: string,
  port: number,
  used: Set<number>,
  signal: AbortSignal,
): Promise<[number, Attempt]> {
  for (let draw = 0; draw < maxDraws; draw++) {
    const from = randomInt(firstPort, lastPort + 1);
    if (used.has(from)) continue;
    used.add(from);
    const attempt = await tryPort(ip, port, from, signal);
    if (attempt !== 'port-taken') return [from, attempt];
  }
  return [0, 'not-sent'];
}

function tryPort(ip: string, port: number, from: number, signal: AbortSignal): Promise<Attempt> {
  return new Promise((resolve) => {
    const socket = connect({ host: ip, port, localPort: from, autoSelectFamily: false });
    const end = (attempt: Attempt): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      // A reset leaves nothing waiting, so the port can be used again at once.
      if (attempt === 'answered') socket.resetAndDestroy();
      else socket.destroy();
      resolve(attempt);
    };
    const cancel = (): void => end('not-sent');
    const timer = setTimeout(() => end('lost'), attemptMs);
    signal.addEventListener('abort', cancel, { once: true });
    socket.once('connect', () => end('answered'));
    socket.on('error', (error) => end(attemptOf(codeOf(error))));
    if (signal.aborted) cancel();
  });
}

function attemptOf(code: string | undefined): Attempt {
  switch (code) {
    case 'ECONNREFUSED':
    case 'ECONNRESET':
      return 'answered';
    case 'EADDRINUSE':
    case 'EADDRNOTAVAIL':
    case 'EACCES':
      return 'port-taken';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
    case 'EPERM':
      return 'lost';
    case undefined:
    default:
      return 'not-sent';
  }
}
