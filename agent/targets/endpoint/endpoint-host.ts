import type { EndpointHost } from '../../model/endpoint-host.js';
import {
  hostSigns,
  maxRowSigns,
  signAboutPattern,
  type HostSign,
  type RowSign,
} from '../../model/row-host.js';
import { maxEndpointBodyBytes } from './endpoint-limits.js';
import { asObject, isWhole } from './value-checks.js';

const networkPattern = /^net:\[\d{1,20}\]$/;
const maxValue = 1e12;
const maxAgeSeconds = 366 * 86_400;

/** Adds what an endpoint tells of its network to the body of its answer, unless there is no room. */
export function withEndpointHost(body: string, { network, signs, missing }: EndpointHost): string {
  const host = JSON.stringify({ network, signs, missing });
  const whole = `${body.slice(0, -1)},"host":${host}}`;
  return whole.length <= maxEndpointBodyBytes ? whole : body;
}

/** Reads it. Undefined where it is not there, or malformed in any part. Signs that are not known here are left out. */
export function decodeEndpointHost(body: string): EndpointHost | undefined {
  if (body.length > maxEndpointBodyBytes || !body.includes('"host":')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const { network, signs, missing } = asObject(asObject(value)?.['host']) ?? {};
  if (network !== undefined && !(typeof network === 'string' && networkPattern.test(network)))
    return undefined;
  if (!Array.isArray(signs) || signs.length > maxRowSigns) return undefined;
  if (!Array.isArray(missing) || missing.length > 2 * hostSigns.length) return undefined;
  const read: RowSign[] = [];
  for (const sent of signs as unknown[]) {
    const sign = decodeSign(asObject(sent) ?? {});
    if (!sign) return undefined;
    if (isSign(sign.sign)) read.push({ ...sign, sign: sign.sign, plane: 'endpoint' });
  }
  const keys = read.map(({ sign, about }) => `${sign} ${about}`);
  if (new Set(keys).size < keys.length) return undefined;
  return { network, signs: read, missing: (missing as unknown[]).filter(isSign) };
}

function decodeSign(sent: Readonly<Record<string, unknown>>) {
  const { sign, about, ageSeconds, value, limit, orBefore } = sent;
  if (typeof sign !== 'string' || typeof about !== 'string' || !signAboutPattern.test(about))
    return undefined;
  if (!isWhole(ageSeconds, maxAgeSeconds) || !isWhole(value, maxValue) || !isWhole(limit, maxValue))
    return undefined;
  if (orBefore !== undefined && orBefore !== true) return undefined;
  return { sign, about, ageSeconds, value, limit, ...(orBefore && ({ orBefore } as const)) };
}

function isSign(value: unknown): value is HostSign {
  return (hostSigns as readonly unknown[]).includes(value);
}
