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
} from './fields.js';
import { readHost } from './host.js';

const maxUrlLength = 2048;
const maxStatuses = 64;
/** What is well where nothing is said of it: success, as RFC 9110 has it. */
const success = [200, 201, 202, 203, 204, 205, 206];

/** @throws ConfigError where it is no request that can be sent */
export function readHttp(field: Field): HttpRequest {
  const keys = ['url', 'method', 'expectStatus', 'headersFile', 'ca', 'tlsName'];
  const fields = readMapping(field, keys);
  const url = readUrl(fields.field('url'));
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

function readUrl(field: Field): URL {
  const { value } = field;
  if (typeof value !== 'string') return refuse(field, 'an http or https URL');
  if (value.length > maxUrlLength) refuse(field, `a URL of at most ${maxUrlLength} characters`);
  // The URL parser drops these without a word.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(value))
    refuse(field, 'a URL without spaces and control characters');
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) refuse(field, 'an http or https URL');
  const url = new URL(value);
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(value)) {
    refuse(field, 'a URL without a user and password (put them into headersFile)');
  }
  if (url.hash !== '') refuse(field, 'a URL without a fragment');
  if (url.port === '0') refuse(field, 'a URL with a port from 1 to 65535');
  readHost(field, url.hostname.replace(/^\[|\]$/g, ''), 'a URL with a host name or an IP address');
  return url;
}

/** The text itself is not shown where it is no path: a secret may stand there by mistake. */
function readPath(field: Field): string | undefined {
  if (isMissing(field)) return undefined;
  const { at, value } = field;
  const isPath = typeof value === 'string' && value.startsWith('/') && value.length <= 4096;
  if (isPath && !/\p{Cc}/u.test(value)) return value;
  const got = typeof value === 'string' ? `a text of ${value.length} characters` : value;
  return refuse({ at, value: got }, 'the absolute path of a file');
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
