import { findingKinds } from '../../../api/schema/v1/finding-kinds.js';
import { kindsThat } from '../../diagnosis/kinds/kinds.js';
import type { FindingKind, Severity } from '../../diagnosis/nouns/finding.js';
import { targetNamePattern } from '../../model/target.js';
import { ConfigError } from '../../platform/errors.js';
import { readDuration, readPath, readUrl } from '../../platform/field-forms.js';
import {
  isMissing,
  readList,
  readMapping,
  refuse,
  type Field,
  type Fields,
} from '../../platform/fields.js';
import { receiverKeys } from './receiver-keys.js';
import { maxReceivers, receiverTypes, type Receiver, type ReceiverType } from './receiver.js';

const severities: readonly Severity[] = ['broken', 'degraded'];
/** No agent tells of its own node, so what the agent of a node alone knows is told to nobody. */
const unsentKinds = kindsThat('isKnownAtHomeAlone');
const sentKinds = findingKinds.filter((kind) => !unsentKinds.has(kind));
const maxZones = 64;
const maxZoneLength = 253;
const maxAfterMs = 86_400_000;

/**
 * Reads a list of receivers. One mistake refuses them all.
 * @throws ConfigError with one line: the place, what was expected, what was got. No URL is shown
 */
export function readReceivers(list: Field): Receiver[] {
  const { value, ...around } = list;
  if (!Array.isArray(value)) return refuse(list, 'a list of receivers');
  if (value.length === 0 || value.length > maxReceivers) {
    refuse(list, `a list of 1 to ${maxReceivers} receivers`);
  }
  const receivers: Receiver[] = [];
  for (const [index, item] of (value as unknown[]).entries()) {
    const at = `${list.at}[${index}]`;
    const receiver = readReceiver({ ...around, at, value: item });
    const earlier = receivers.findIndex(({ name }) => name === receiver.name);
    if (earlier !== -1) {
      const name = { at: `${at}.name`, value: receiver.name };
      refuse(name, `a name not listed before (see ${list.at}[${earlier}].name)`);
    }
    receivers.push(receiver);
  }
  return receivers;
}

function readReceiver(item: Field): Receiver {
  const fields = readMapping(item, Object.keys(receiverKeys));
  const type = readOne(fields.field('type'), receiverTypes);
  const url = readWhere(item, fields);
  refuseUnlessOf(fields.field('secretFile'), type, ['webhook']);
  refuseUnlessOf(fields.field('headersFile'), type, ['webhook', 'alertmanager']);
  const ca = fields.field('ca');
  if (!isMissing(ca) && url instanceof URL && url.protocol === 'http:') {
    refuse(ca, 'it with an https URL alone');
  }
  const selected = readWords(fields.field('kinds'), sentKinds);
  const zones = readList(fields.field('zones'), maxZones, readZone);
  const given = readWords(fields.field('severities'), severities);
  return {
    name: readName(fields.field('name')),
    type,
    url,
    secretFile: readPath(fields.field('secretFile')),
    headersFile: readPath(fields.field('headersFile')),
    caFile: readPath(ca),
    severities: new Set<Severity>(given.length > 0 ? given : severities),
    kinds: selected.length > 0 ? new Set<FindingKind>(selected) : undefined,
    zones: zones.length > 0 ? new Set(zones) : undefined,
    afterMs: readDuration(fields.field('after'), 0, maxAfterMs, 0),
  };
}

function readName(field: Field): string {
  if (typeof field.value === 'string' && targetNamePattern.test(field.value)) return field.value;
  return refuse(field, 'a name of 1 to 63 of a-z, 0-9 and -, not at its ends');
}

function readWhere(item: Field, fields: Fields): URL | string {
  const [url, urlFile] = [fields.field('url'), fields.field('urlFile')];
  if (isMissing(url) === isMissing(urlFile)) {
    const got = isMissing(url) ? 'neither' : 'both';
    throw new ConfigError(`${item.at}: expected url or urlFile, got ${got}`);
  }
  return isMissing(url) ? (readPath(urlFile) ?? '') : readSecretUrl(url);
}

/**
 * A URL that may be a secret as a whole.
 * @throws ConfigError that shows nothing of it
 */
export function readSecretUrl(field: Field): URL {
  try {
    return readUrl(field, { credentialsGo: ' (put them into headersFile)' });
  } catch (error) {
    if (!(error instanceof ConfigError) || typeof field.value !== 'string') throw error;
    const [words] = error.message.split(', got ', 1);
    throw new ConfigError(`${words ?? ''}, got a text of ${field.value.length} characters`);
  }
}

function refuseUnlessOf(field: Field, type: ReceiverType, types: readonly ReceiverType[]): void {
  if (isMissing(field) || types.includes(type)) return;
  throw new ConfigError(
    `${field.at}: expected it with type ${types.join(' or ')} alone, got it with ${type}`,
  );
}

function readOne<const T extends string>(field: Field, words: readonly T[]): T {
  const word = words.find((one) => one === field.value);
  return word ?? refuse(field, `one of ${words.join(', ')}`);
}

function readWords<const T extends string>(field: Field, words: readonly T[]): T[] {
  if (Array.isArray(field.value) && field.value.length === 0) {
    refuse(field, 'at least one, or no such key');
  }
  return readList(field, words.length, (item) => readOne(item, words));
}

function readZone(field: Field): string {
  const { value } = field;
  const isZone = typeof value === 'string' && value !== '' && value.length <= maxZoneLength;
  return isZone ? value : refuse(field, `a zone of 1 to ${maxZoneLength} characters`);
}
