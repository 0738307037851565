import { failureKinds, type FailureKind } from '../../model/failure.js';
import { initialState, type PathState } from '../../model/path-state.js';
import {
  maxTargets,
  rowRtts,
  rowTargetStates,
  targetNamePattern,
  type RowTarget,
} from '../../model/target.js';
import type { Clock } from '../../platform/clock.js';
import { askedServers, type TargetPlaneView } from '../views.js';
import { maxAgeMs, maxEndpointBodyBytes, maxRttNs, maxServers } from './endpoint-limits.js';
import { asObject, isNumber, isOneOf, isOptional, isText, isWhole } from './value-checks.js';
import {
  decodeAges,
  decodeAnswer,
  decodeLoss,
  decodeRtts,
  decodeServers,
  reachabilities,
} from './decode-view.js';

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

export interface EndpointResults {
  readonly targets: readonly EndpointTarget[];
  /** Whether something was left out that cannot be read. */
  readonly isAnyMalformed: boolean;
}

/**
 * Reads what an endpoint says, without the targets that are malformed in any part: what is odd of one says nothing of
 * the others. Undefined if it is no list of targets, one has the name of another, or there is too much.
 */
export function decodeEndpointResults(body: string, clock: Clock): EndpointResults | undefined {
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
  for (const sent of targets as unknown[]) {
    const target = decodeTarget(sent, clock);
    if (!target) continue;
    if (read.some(({ name }) => name === target.name)) return undefined;
    read.push(target);
  }
  return { targets: read, isAnyMalformed: read.length < targets.length };
}

function decodeTarget(value: unknown, clock: Clock): EndpointTarget | undefined {
  const sent = asObject(value);
  const row = asObject(sent?.['row']);
  if (!sent || !row) return undefined;
  const { name, state, sinceMs, probedMs, failures, rttNs, lossy, slow } = sent;
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
  if (!isOptional(sent['failure'], isText) || !isOptional(sent['because'], isText))
    return undefined;
  const servers = decodeServers(sent['servers']);
  const answer = decodeAnswer(sent['answer']);
  const rtts = sent['rtts'] === undefined ? undefined : decodeRtts(sent['rtts']);
  const loss = decodeLoss(sent['loss']);
  if (!servers || !answer || !loss || (sent['rtts'] !== undefined && !rtts)) return undefined;
  const asked = askedServers(servers);
  const failing = row['failingServers'] ?? [];
  if (!Array.isArray(failing) || failing.length > maxServers) return undefined;
  if (!failing.every((index): index is number => isWhole(index, maxServers - 1))) return undefined;
  // A newer endpoint may know further kinds. They are left out.
  const kindOf = (kind: unknown): FailureKind | undefined =>
    isOneOf(kind, failureKinds) ? kind : undefined;
  const [failureKind, rowFailure] = [kindOf(sent['failureKind']), kindOf(row['failure'])];
  // Older endpoints tell rounded ages only.
  const ages = sent['rowMs'] === undefined ? [] : decodeAges(sent['rowMs']);
  if (!ages) return undefined;
  const [ageMs, lookedAgoMs] = ages;
  const path: PathState = {
    ...initialState(clock.wallMs() - sinceMs, clock.nowMs() - sinceMs),
    state,
    failures,
    failure: sent['failure'] as string | undefined,
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
      unknownBecause: sent['because'] as string | undefined,
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
