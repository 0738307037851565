import { formatDurationNs } from '../../../api/duration.js';
import { planes, type Plane } from '../../model/path.js';
import {
  maxTargets,
  targetKinds,
  targetNamePattern,
  type Target,
  type TargetProbe,
  type TcpEnd,
} from '../../model/target.js';
import { digestOf } from './digest.js';
import { readDuration } from '../../platform/field-forms.js';
import { readMapping, readWord, refuse, type Field, type Fields } from '../../platform/fields.js';
import { readHost, splitHostAndPort } from '../../platform/host-form.js';
import { readDns } from './read-dns.js';
import { readHttp } from './read-http.js';
import { targetKeys } from './target-keys.js';

export const defaultIntervalMs = 3000;
export const defaultTimeoutMs = 1000;

/**
 * Reads a list of targets. One mistake refuses them all.
 * @throws ConfigError with one line: the place, what was expected, what was got
 */
export function parseTargets(list: Field): Target[] {
  const { value } = list;
  if (!Array.isArray(value)) return refuse(list, 'a list of targets');
  if (value.length > maxTargets) refuse(list, `a list of at most ${maxTargets} targets`);
  const targets: Target[] = [];
  for (const [index, item] of (value as unknown[]).entries()) {
    const target = readTarget({ at: `${list.at}[${index}]`, value: item });
    const earlier = targets.findIndex(({ name }) => name === target.name);
    if (earlier !== -1) {
      const at = { at: `${list.at}[${index}].name`, value: target.name };
      refuse(at, `a name not listed before (see ${list.at}[${earlier}].name)`);
    }
    targets.push(target);
  }
  return targets;
}

function readTarget(item: Field): Target {
  const fields = readMapping(item, Object.keys(targetKeys));
  const name = readName(fields.field('name'));
  const probe = readProbe(item, fields);
  const timeout = fields.field('timeout');
  const timeoutMs = readDuration(timeout, 100, 30_000, defaultTimeoutMs);
  const standardMs = Math.max(defaultIntervalMs, timeoutMs);
  const intervalMs = readDuration(fields.field('interval'), 1000, 3_600_000, standardMs);
  if (timeoutMs > intervalMs) {
    refuse(timeout, `a duration not above the interval of ${formatDurationNs(intervalMs * 1e6)}`);
  }
  const from = readFrom(fields.field('from'));
  return { name, probe, from, intervalMs, timeoutMs, digest: digestOf(probe, timeoutMs) };
}

function readName(field: Field): string {
  if (typeof field.value === 'string' && targetNamePattern.test(field.value)) return field.value;
  return refuse(field, 'a name of 1 to 63 of a-z, 0-9 and -, not at its ends');
}

function readProbe(item: Field, fields: Fields): TargetProbe {
  const [kind, other] = targetKinds.filter((key) => fields.given.includes(key));
  if (kind === undefined) return refuse(item, `one of ${targetKinds.join(', ')}`);
  const field = fields.field(kind);
  if (other !== undefined) refuse({ at: field.at, value: other }, `${kind} alone`);
  switch (kind) {
    case 'dns':
      return { kind, dns: readDns(field) };
    case 'http':
      return { kind, http: readHttp(field) };
    case 'tcp':
      return { kind, tcp: readTcp(field) };
    case 'icmp':
      return { kind, host: readHost(field, typeof field.value === 'string' ? field.value : '') };
  }
}

function readTcp(field: Field): TcpEnd {
  const form = 'HOST:PORT or [IPv6]:PORT';
  const parts = typeof field.value === 'string' ? splitHostAndPort(field.value) : undefined;
  if (parts?.port === undefined) return refuse(field, form);
  return { host: readHost(field, parts.host, form), port: parts.port };
}

function readFrom(field: Field): readonly Plane[] {
  const word = readWord(field, ['host', 'endpoint', 'both'], 'both');
  return word === 'both' ? planes : [word];
}
