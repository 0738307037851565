import { isIP } from 'node:net';
import type { HttpRequest } from '../../model/target.js';
import {
  isMissing,
  readList,
  readMapping,
  readNumber,
  readWord,
  refuse,
  type Field,
} from '../../platform/fields.js';
import { readPath, readUrl } from '../../platform/field-forms.js';
import { readHost } from '../../platform/host-form.js';

const maxStatuses = 64;
/** What is well where nothing is said of it: success, as RFC 9110 has it. */
const success = [200, 201, 202, 203, 204, 205, 206];

/** @throws ConfigError where it is no request that can be sent */
export function readHttp(field: Field): HttpRequest {
  const keys = ['url', 'method', 'expectStatus', 'headersFile', 'ca', 'tlsName'];
  const fields = readMapping(field, keys);
  const url = readUrl(fields.field('url'), { credentialsGo: ' (put them into headersFile)' });
  const statuses = fields.field('expectStatus');
  const expectStatus = readList(statuses, maxStatuses, (item) => readNumber(item, 200, 599));
  for (const key of ['ca', 'tlsName']) {
    const given = fields.field(key);
    if (!isMissing(given) && url.protocol === 'http:') {
      refuse(given, 'it with an https URL alone');
    }
  }
  return {
    url: url.href,
    method: readWord(fields.field('method'), ['GET', 'HEAD'], 'GET'),
    expectStatus: isMissing(statuses) ? success : [...new Set(expectStatus)].sort((a, b) => a - b),
    headersFile: readPath(fields.field('headersFile')),
    caFile: readPath(fields.field('ca')),
    tlsName: readTlsName(fields.field('tlsName')),
  };
}

function readTlsName(field: Field): string | undefined {
  if (isMissing(field)) return undefined;
  if (typeof field.value !== 'string') return refuse(field, 'the name that the certificate has');
  return readHost(field, field.value, 'the name that the certificate has').replace(/\.$/, '');
}

/** The host of a URL: an IPv6 address has no brackets. */
export function hostOf(url: URL): string {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? host.replace(/\.$/, '') : host;
}
