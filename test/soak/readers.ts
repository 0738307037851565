import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../fuzz/random.js';
import type { Mesh } from '../lab/lib/start-mesh.js';
import { getJson } from '../lab/lib/unix-socket.js';

/** What readers got. A frozen agent gives no answer. */
export interface ReaderCounts {
  answers: number;
  unanswered: number;
  events: number;
  /** Streams of events that were begun. */
  streams: number;
}

const bodies = ['/v1beta/status', '/v1beta/status?brief=true', '/v1/matrix', '/v1/matrix?by=node'];
const readEveryMs = 1000;
const shortestStreamMs = 5000;
const longestStreamMs = 60_000;
const oneFollowerPerHosts = 3;
/** One of so many followers reads nothing of its stream. */
const oneDeafOf = 5;

/** Reads from agents until the signal: bodies, one a second, and events by some followers. */
export async function readUntil(
  mesh: Mesh,
  random: Random,
  signal: AbortSignal,
): Promise<ReaderCounts> {
  const counts: ReaderCounts = { answers: 0, unanswered: 0, events: 0, streams: 0 };
  const socketOfOne = () => mesh.agents.socketPath(random.pick(mesh.lab.hosts));

  async function readBodies(): Promise<void> {
    while (!signal.aborted) {
      await getJson(socketOfOne(), random.pick(bodies)).then(
        () => counts.answers++,
        () => counts.unanswered++,
      );
      await pause(readEveryMs, signal);
    }
  }

  async function followEvents(): Promise<void> {
    while (!signal.aborted) {
      const forMs = shortestStreamMs + random.below(longestStreamMs - shortestStreamMs);
      const isDeaf = random.below(oneDeafOf) === 0;
      counts.streams++;
      const end = new AbortController();
      const abort = () => end.abort();
      const timer = setTimeout(abort, forMs);
      signal.addEventListener('abort', abort, { once: true });
      counts.events += await countEvents(socketOfOne(), isDeaf, end.signal);
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      // The agent may have restarted, or may have refused one more reader.
      await pause(readEveryMs, signal);
    }
  }

  const followers = Math.ceil(mesh.lab.hosts.length / oneFollowerPerHosts);
  await Promise.all([readBodies(), ...Array.from({ length: followers }, followEvents)]);
  return counts;
}

/** Follows the events of an agent until the signal or the end of the stream, and counts them. */
function countEvents(socketPath: string, isDeaf: boolean, signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    let events = 0;
    const headers = { accept: 'application/x-ndjson' };
    const path = '/v1/events?after=0';
    const call = request({ socketPath, path, headers, agent: false, signal }, (response) => {
      response.once('error', () => undefined);
      if (isDeaf) return;
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        events += text.split('\n').length - 1;
      });
    });
    call.once('error', () => resolve(events));
    call.once('close', () => resolve(events));
    // The end of a response that nobody reads is not told.
    signal.addEventListener('abort', () => resolve(events), { once: true });
    call.end();
  });
}

/** Waits for this time or until the signal. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
