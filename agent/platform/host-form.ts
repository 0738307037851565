import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { readAddress } from '../model/address.js';
import { refuse, type Field } from './fields.js';

/** What a host looks like, for messages. */
export const hostForm = 'a host name or an IP address';

// As in resolvers, a name may have an underscore. A label is at most 63 characters (RFC 1035, 2.3.4).
const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const hostName = new RegExp(`^${label}(?:\\.${label})*\\.?$`);
const allDigits = /(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/;

/** A name of the DNS in lower case, one of other letters as the DNS has it (`xn--`); undefined where it is none. */
export function domainNameOf(text: string): string | undefined {
  const name = (/^[\0-\x7f]*$/.test(text) ? text : domainToASCII(text)).toLowerCase();
  return name.length <= 253 && hostName.test(name) ? name : undefined;
}

/**
 * A host name in lower case, or an IP address in canonical form.
 * @param text as it stands in the field, or in a part of it
 * @throws ConfigError where it is neither
 */
export function readHost(field: Field, text: string, expected = hostForm): string {
  if (isIP(text) !== 0) return readIp(field, text);
  const name = domainNameOf(text);
  // Where the last label is a number, it is a misspelled address: 10.0.0.256, 127.1.
  return name === undefined || allDigits.test(name) ? refuse(field, expected) : name;
}

/**
 * The address of one host in canonical form.
 * @throws ConfigError where it is none
 */
export function readIp(field: Field, text: unknown = field.value): string {
  const address = readAddress(typeof text === 'string' ? text : '');
  return 'ip' in address ? address.ip : refuse(field, address.refused);
}

/** A host and a port; the port is undefined where none is written. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number | undefined;
}

/**
 * Takes `host:port` or `[v6]:port` apart; the port may be missing, and then a v6 address has no
 * brackets. Undefined where it is nothing like that, or no port.
 */
export function splitHostAndPort(text: string): HostAndPort | undefined {
  if (isIP(text) === 6) return { host: text, port: undefined };
  const match = /^(?:\[([^[\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text);
  if (!match) return undefined;
  const [, v6, other, digits] = match;
  if (v6 !== undefined && isIP(v6) !== 6) return undefined;
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (port < 1 || port > 65535)) return undefined;
  return { host: v6 ?? other ?? '', port };
}
