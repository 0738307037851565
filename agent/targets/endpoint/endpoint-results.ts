import { failureKinds, type FailureKind } from '../../model/failure.js';
import { initialState, type PathState, type Reachability } from '../../model/path-state.js';
import {
  maxTargets,
  rowRtts,
  rowTargetStates,
  targetNamePattern,
  type RowTarget,
} from '../../model/target.js';
import type { Clock } from '../../platform/clock.js';
import type { Loss } from '../../results/loss-log.js';
import type { RttSummary } from '../../results/rtt-summary.js';
import {
  askedServers,
  type TargetAnswer,
  type TargetPlaneView,
  type TargetServerView,
} from '../views.js';
import type { WatchedTarget } from '../watched-target.js';

/** What an endpoint says of one target. */
export interface EndpointTarget {
  readonly name: string;
  readonly digest: number;
  readonly view: TargetPlaneView;
  /** With the ages at the time of the answer. */
  readonly row: RowTarget;
  /** Since when it is in the state of the row, and when it looked last, in monotonic milliseconds of this process. */
  readonly sinceMs: number;
  readonly lookedMs: number;
}

/** The largest body that is read: sixteen targets with all that can be told of them. */
export const maxEndpointBodyBytes = 48 * 1024;
const maxTextLength = 300;
const maxAddresses = 32;
const maxServers = 16;
const maxAgeMs = 366 * 86_400_000;
const maxRttNs = 3_600_000_000_000;
const reachabilities: readonly Reachability[] = ['unknown', 'reachable', 'unreachable'];
// Printable, and no control characters that a terminal would obey.
const textPattern = /^[^\p{Cc}\p{Cs}]*$/u;

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
    const row = one.row();
    const times = one.times();
    const { state, sinceMs, failure, failureKind, rttNs, failures, lastProbedAt } = view.state;
    return {
      name: row.target,
      row,
      // The ages in the row are rounded.
      rowMs: [Math.max(nowMs - times.sinceMs, 0), Math.max(nowMs - times.lookedMs, 0)],
      state,
      sinceMs: Math.max(Math.round(nowMs - sinceMs), 0),
      ...(lastProbedAt !== undefined && { probedMs: Math.max(clock.wallMs() - lastProbedAt, 0) }),
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

/** Reads what an endpoint says. Undefined if any part is malformed or there is too much. */
export function decodeEndpointResults(body: string, clock: Clock): EndpointTarget[] | undefined {
  if (body.length > maxEndpointBodyBytes) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const { targets } = asObject(value) ?? {};
  if (!Array.isArray(targets) || targets.length > maxTargets) return undefined;
  const read: EndpointTarget[] = [];
  for (const told of targets as unknown[]) {
    const target = decodeTarget(told, clock);
    if (!target || read.some(({ name }) => name === target.name)) return undefined;
    read.push(target);
  }
  return read;
}

function decodeTarget(value: unknown, clock: Clock): EndpointTarget | undefined {
  const told = asObject(value);
  const row = asObject(told?.['row']);
  if (!told || !row) return undefined;
  const { name, state, sinceMs, probedMs, failures, rttNs, lossy, slow } = told;
  const { digest, ageSeconds, probedSeconds } = row;
  if (typeof name !== 'string' || !targetNamePattern.test(name)) return undefined;
  if (!isWhole(digest, 0xffff_ffff)) return undefined;
  if (!isOneOf(state, reachabilities) || !isOneOf(row['state'], rowTargetStates)) return undefined;
  if (!isNumber(sinceMs, maxAgeMs) || !isWhole(failures, Number.MAX_SAFE_INTEGER)) return undefined;
  if (!isNumber(ageSeconds, maxAgeMs / 1000) || !isNumber(probedSeconds, maxAgeMs / 1000))
    return undefined;
  if (typeof lossy !== 'boolean' || typeof slow !== 'boolean') return undefined;
  if (!isOptional(probedMs, (ms) => isNumber(ms, maxAgeMs))) return undefined;
  if (!isOptional(rttNs, (ns) => isNumber(ns, maxRttNs))) return undefined;
  if (!isOptional(told['failure'], isText) || !isOptional(told['because'], isText))
    return undefined;
  const servers = decodeServers(told['servers']);
  const answer = decodeAnswer(told['answer']);
  const rtts = told['rtts'] === undefined ? undefined : decodeRtts(told['rtts']);
  const loss = decodeLoss(told['loss']);
  if (!servers || !answer || !loss || (told['rtts'] !== undefined && !rtts)) return undefined;
  const asked = askedServers(servers);
  const failing = row['failingServers'] ?? [];
  if (!Array.isArray(failing) || failing.length > maxServers) return undefined;
  if (!failing.every((index): index is number => isWhole(index, maxServers - 1))) return undefined;
  // A newer endpoint may know further kinds. They are left out.
  const kindOf = (kind: unknown): FailureKind | undefined =>
    isOneOf(kind, failureKinds) ? kind : undefined;
  const [failureKind, rowFailure] = [kindOf(told['failureKind']), kindOf(row['failure'])];
  // Older endpoints tell rounded ages only.
  const ages = told['rowMs'] === undefined ? [] : decodeAges(told['rowMs']);
  if (!ages) return undefined;
  const [ageMs, lookedAgoMs] = ages;
  const path: PathState = {
    ...initialState(clock.wallMs() - sinceMs, clock.nowMs() - sinceMs),
    state,
    failures,
    failure: told['failure'] as string | undefined,
    failureKind,
    rttNs: rttNs as number | undefined,
    lastProbedAt: probedMs === undefined ? undefined : clock.wallMs() - (probedMs as number),
  };
  return {
    name,
    digest,
    sinceMs: clock.nowMs() - (ageMs ?? 1000 * ageSeconds),
    lookedMs: clock.nowMs() - (lookedAgoMs ?? 1000 * probedSeconds),
    view: {
      plane: 'endpoint',
      unknownBecause: told['because'] as string | undefined,
      state: path,
      isLossy: lossy,
      isSlow: slow,
      rtts,
      loss,
      answer,
      servers,
    },
    row: {
      target: name,
      digest,
      plane: 'endpoint',
      state: row['state'],
      ageSeconds,
      probedSeconds,
      ...(rowFailure && { failure: rowFailure }),
      ...(rtts && rowRtts(rtts)),
      ...(failing.length > 0 && { failingServers: failing }),
      ...(asked && { servers: asked }),
    },
  };
}

/** Two ages in milliseconds. */
function decodeAges(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  return value.every((age): age is number => isNumber(age, maxAgeMs)) ? value : undefined;
}

function decodeServers(value: unknown): TargetServerView[] | undefined {
  if (!Array.isArray(value) || value.length > maxServers) return undefined;
  const servers: TargetServerView[] = [];
  for (const told of value as unknown[]) {
    const { server, state } = asObject(told) ?? {};
    const of = asObject(state);
    if (!isText(server) || !of || !isOneOf(of['state'], reachabilities)) return undefined;
    if (!isOptional(of['failure'], isText)) return undefined;
    const kind = isOneOf(of['failureKind'], failureKinds) ? of['failureKind'] : undefined;
    servers.push({
      server,
      state: {
        state: of['state'],
        failure: of['failure'] as string | undefined,
        failureKind: kind,
      },
    });
  }
  return servers;
}

function decodeAnswer(value: unknown): TargetAnswer | undefined {
  const told = asObject(value);
  if (!told) return undefined;
  const { addresses, ttlSeconds, status, answeredBy, certificateEndsAt } = told;
  if (addresses !== undefined) {
    if (!Array.isArray(addresses) || addresses.length > maxAddresses) return undefined;
    if (!addresses.every(isText)) return undefined;
  }
  if (!isOptional(ttlSeconds, (ttl) => isWhole(ttl, 0xffff_ffff))) return undefined;
  if (!isOptional(status, (code) => isWhole(code, 999))) return undefined;
  if (!isOptional(answeredBy, isText)) return undefined;
  if (!isOptional(certificateEndsAt, (at) => isNumber(at, 8.64e15))) return undefined;
  return {
    ...(addresses !== undefined && { addresses: addresses }),
    ...(ttlSeconds !== undefined && { ttlSeconds: ttlSeconds as number }),
    ...(status !== undefined && { status: status as number }),
    ...(answeredBy !== undefined && { answeredBy: answeredBy as string }),
    ...(certificateEndsAt !== undefined && { certificateEndsAt: certificateEndsAt as number }),
  };
}

/** Older agents expect all of them. One that is not told is the same as the one before it. */
function rttsBody({ min, p50, p95 = p50, p99 = p95, max }: RttSummary): RttSummary {
  return { min, p50, p95, p99, max: Math.max(max, p99) };
}

function decodeRtts(value: unknown): RttSummary | undefined {
  const { min, p50, p95, p99, max } = asObject(value) ?? {};
  const rising = [min, p50, p95, p99, max];
  let least = 0;
  for (const ns of rising) {
    if (!isNumber(ns, maxRttNs) || ns < least) return undefined;
    least = ns;
  }
  const [lowest = 0, half = 0, most = 0, nearly = 0, highest = 0] = rising as number[];
  return {
    min: lowest,
    p50: half,
    max: highest,
    ...(most > half && { p95: most }),
    ...(nearly > most && { p99: nearly }),
  };
}

function decodeLoss(value: unknown): Loss | undefined {
  const told = asObject(value);
  if (!told) return undefined;
  const { loss1m, loss10m, loss1h } = told;
  if (![loss1m, loss10m, loss1h].every((one) => isOptional(one, (share) => isNumber(share, 1))))
    return undefined;
  return {
    loss1m: loss1m as number | undefined,
    loss10m: loss10m as number | undefined,
    loss1h: loss1h as number | undefined,
  };
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Record<string, unknown>;
}

function isOptional(value: unknown, holds: (value: unknown) => boolean): boolean {
  return value === undefined || holds(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxTextLength && textPattern.test(value);
}

function isNumber(value: unknown, max: number): value is number {
  return typeof value === 'number' && value >= 0 && value <= max;
}

function isWhole(value: unknown, max: number): value is number {
  return isNumber(value, max) && Number.isInteger(value);
}

function isOneOf<T extends string>(value: unknown, known: readonly T[]): value is T {
  return (known as readonly unknown[]).includes(value);
}
