import { failureKinds } from '../../model/failure.js';
import { isNodeName } from '../../model/node-name.js';
import type { Reachability } from '../../model/path-state.js';
import type { Loss } from '../../results/loss-log.js';
import type { RttSummary } from '../../results/rtt-summary.js';
import type { TargetAnswer, TargetServerView } from '../views.js';
import { maxAddresses, maxAgeMs, maxRttNs, maxServers } from './endpoint-limits.js';
import { asObject, isNumber, isOneOf, isOptional, isText, isWhole } from './value-checks.js';

// The parts of what an endpoint tells of a target. Each is undefined where it is malformed.

export const reachabilities: readonly Reachability[] = ['unknown', 'reachable', 'unreachable'];

/** Two ages in milliseconds. */
export function decodeAges(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  return value.every((age): age is number => isNumber(age, maxAgeMs)) ? value : undefined;
}

/** The state of each DNS server of a target. */
export function decodeServers(value: unknown): TargetServerView[] | undefined {
  if (!Array.isArray(value) || value.length > maxServers) return undefined;
  const servers: TargetServerView[] = [];
  for (const sent of value as unknown[]) {
    const { server, state } = asObject(sent) ?? {};
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

/** A name of a node may be longer than a text. */
function isShownName(value: unknown): boolean {
  return isText(value) || (typeof value === 'string' && isNodeName(value));
}

/** What a target answered last. */
export function decodeAnswer(value: unknown): TargetAnswer | undefined {
  const sent = asObject(value);
  if (!sent) return undefined;
  const { addresses, ttlSeconds, status, answeredBy, certificateEndsAt } = sent;
  if (addresses !== undefined) {
    if (!Array.isArray(addresses) || addresses.length > maxAddresses) return undefined;
    if (!addresses.every(isText)) return undefined;
  }
  if (!isOptional(ttlSeconds, (ttl) => isWhole(ttl, 0xffff_ffff))) return undefined;
  if (!isOptional(status, (code) => isWhole(code, 999))) return undefined;
  if (!isOptional(answeredBy, isShownName)) return undefined;
  if (!isOptional(certificateEndsAt, (at) => isNumber(at, 8.64e15))) return undefined;
  return {
    ...(addresses !== undefined && { addresses: addresses }),
    ...(ttlSeconds !== undefined && { ttlSeconds: ttlSeconds as number }),
    ...(status !== undefined && { status: status as number }),
    ...(answeredBy !== undefined && { answeredBy: answeredBy as string }),
    ...(certificateEndsAt !== undefined && { certificateEndsAt: certificateEndsAt as number }),
  };
}

/** The round trips, each no shorter than the one before it. */
export function decodeRtts(value: unknown): RttSummary | undefined {
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

/** The shares of probes that were lost. */
export function decodeLoss(value: unknown): Loss | undefined {
  const sent = asObject(value);
  if (!sent) return undefined;
  const { loss1m, loss10m, loss1h } = sent;
  if (![loss1m, loss10m, loss1h].every((one) => isOptional(one, (share) => isNumber(share, 1))))
    return undefined;
  return {
    loss1m: loss1m as number | undefined,
    loss10m: loss10m as number | undefined,
    loss1h: loss1h as number | undefined,
  };
}
