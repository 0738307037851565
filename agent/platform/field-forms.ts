import { formatDurationNs, parseDurationMs } from '../../api/duration.js';
import { ConfigError } from './errors.js';
import { isMissing, refuse, type Field } from './fields.js';
import { readHost } from './host-form.js';

const maxUrlLength = 2048;
const absolutePath = 'the absolute path of a file';

/** Where what must not stand in a URL belongs. */
export interface UrlWords {
  /** Where a user and a password go; left out, nowhere. */
  readonly credentialsGo?: string;
}

/**
 * An http or https URL.
 * @throws ConfigError where it is none that can be sent as it is
 */
export function readUrl(field: Field, { credentialsGo = '' }: UrlWords = {}): URL {
  const { value } = field;
  if (typeof value !== 'string') return refuse(field, 'an http or https URL');
  if (value.length > maxUrlLength) refuse(field, `a URL of at most ${maxUrlLength} characters`);
  // The URL parser drops these without a word.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(value))
    refuse(field, 'a URL without spaces and control characters');
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) refuse(field, 'an http or https URL');
  const url = new URL(value);
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(value)) {
    refuse(field, `a URL without a user and password${credentialsGo}`);
  }
  if (url.hash !== '') refuse(field, 'a URL without a fragment');
  if (url.port === '0') refuse(field, 'a URL with a port from 1 to 65535');
  readHost(field, url.hostname.replace(/^\[|\]$/g, ''), 'a URL with a host name or an IP address');
  return url;
}

/**
 * The absolute path of a file; undefined where none is given. The text itself is not shown where it is no path: a secret may
 * stand there by mistake.
 * @throws ConfigError where it is no such path
 */
export function readPath(field: Field): string | undefined {
  if (isMissing(field)) return undefined;
  const { at, value } = field;
  if (typeof value !== 'string') return refuse(field, absolutePath);
  if (/^\/\P{Cc}{0,4095}$/u.test(value)) return value;
  throw new ConfigError(
    `${at}: expected ${absolutePath}, got a text of ${value.length} characters`,
    at,
  );
}

/**
 * A duration in milliseconds, within bounds.
 * @param standard what it is where none is given
 * @throws ConfigError where it is none
 */
export function readDuration(field: Field, minMs: number, maxMs: number, standard: number): number {
  if (isMissing(field)) return standard;
  const ms = typeof field.value === 'string' ? parseDurationMs(field.value) : undefined;
  if (ms !== undefined && ms >= minMs && ms <= maxMs) return ms;
  const [low, high] = [formatDurationNs(minMs * 1e6), formatDurationNs(maxMs * 1e6)];
  return refuse(field, `a duration such as 500ms, 10s or 1m30s, from ${low} to ${high}`);
}
