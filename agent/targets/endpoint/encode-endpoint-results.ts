import type { Clock } from '../../platform/clock.js';
import type { RowTarget } from '../../model/target.js';
import type { RttSummary } from '../../results/rtt-summary.js';
import type { TargetAnswer } from '../views.js';
import type { WatchedTarget } from '../watched-target.js';
import {
  maxAddresses,
  maxAgeMs,
  maxEndpointBodyBytes,
  maxServers,
  maxTextLength,
} from './endpoint-limits.js';

interface Bounds {
  readonly text: number;
  readonly addresses: number;
}

/** What all that can be told may be cut to: so sixteen targets always fit. The state of each is told in any case. */
const bounds: readonly Bounds[] = [
  { text: maxTextLength, addresses: maxAddresses },
  { text: 80, addresses: 8 },
  { text: 0, addresses: 0 },
];

/** Writes the results of all targets that an endpoint probes, with texts and addresses as far as there is room. */
export function encodeEndpointResults(watched: Iterable<WatchedTarget>, clock: Clock): string {
  const all = [...watched];
  let body = '';
  for (const bound of bounds) {
    body = encodeWithin(bound, all, clock);
    if (body.length <= maxEndpointBodyBytes) break;
  }
  return body;
}

function encodeWithin(
  { text, addresses }: Bounds,
  watched: readonly WatchedTarget[],
  clock: Clock,
): string {
  const nowMs = clock.nowMs();
  // A half of a surrogate pair would be refused with all the rest.
  const cut = (long: string): string => Buffer.from(long.slice(0, text)).toString();
  const targets = watched.map((one) => {
    const view = one.view();
    const because = view.unknownBecause ?? view.state.notSent;
    const row = boundedAges(one.row());
    const times = one.times();
    const { state, sinceMs, failure, failureKind, rttNs, failures, lastProbedAt } = view.state;
    return {
      name: row.target,
      row,
      // The ages in the row are rounded.
      rowMs: [ageOf(nowMs - times.sinceMs), ageOf(nowMs - times.lookedMs)],
      state,
      sinceMs: ageOf(Math.round(nowMs - sinceMs)),
      ...(lastProbedAt !== undefined && { probedMs: ageOf(clock.wallMs() - lastProbedAt) }),
      failures,
      ...(failure !== undefined && { failure: cut(failure) }),
      ...(failureKind && { failureKind }),
      ...(rttNs !== undefined && { rttNs: Math.round(rttNs) }),
      lossy: view.isLossy,
      slow: view.isSlow,
      ...(view.rtts && { rtts: rttsBody(view.rtts) }),
      loss: view.loss,
      answer: boundedAnswer(view.answer, addresses),
      servers: view.servers.slice(0, maxServers).map(({ server, state: ofServer }) => ({
        server,
        state: {
          ...ofServer,
          ...(ofServer.failure !== undefined && { failure: cut(ofServer.failure) }),
        },
      })),
      ...(because !== undefined && { because: cut(because) }),
    };
  });
  return asciiJson({ targets });
}

/** What is older is told as of that age; the wall clock may have been set by years. */
function ageOf(ms: number): number {
  return Math.min(Math.max(ms, 0), maxAgeMs);
}

function boundedAges(row: RowTarget): RowTarget {
  const { ageSeconds, probedSeconds } = row;
  return {
    ...row,
    ageSeconds: ageOf(1000 * ageSeconds) / 1000,
    probedSeconds: ageOf(1000 * probedSeconds) / 1000,
  };
}

/** Bodies of this exchange are ASCII on the wire. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function boundedAnswer(answer: TargetAnswer, most: number): TargetAnswer {
  if (!answer.addresses || answer.addresses.length <= most) return answer;
  return { ...answer, addresses: answer.addresses.slice(0, most) };
}

/** Older agents expect all of them. One that is not told is the same as the one before it. */
function rttsBody({ min, p50, p95 = p50, p99 = p95, max }: RttSummary): RttSummary {
  return { min, p50, p95, p99, max: Math.max(max, p99) };
}
