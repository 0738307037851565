import { isIP } from 'node:net';
import type { DnsQuestion } from '../../model/target.js';
import {
  isMissing,
  readList,
  readMapping,
  readWord,
  refuse,
  type Field,
} from '../../platform/fields.js';
import { domainNameOf, readIp, splitHostAndPort } from '../../platform/host-form.js';

const maxServers = 8;
const maxExpected = 64;

/** @throws ConfigError where it is no question to DNS servers */
export function readDns(field: Field): DnsQuestion {
  const fields = readMapping(field, ['query', 'type', 'servers', 'expect']);
  const type = readWord(fields.field('type'), ['A', 'AAAA'], 'A');
  const servers = readList(fields.field('servers'), maxServers, readServer);
  refuseRepeated(fields.field('servers'), servers, 'a server not listed before');
  const wanted = type === 'A' ? 4 : 6;
  const expect = readList(fields.field('expect'), maxExpected, (item) => {
    const ip = readIp(item);
    return isIP(ip) === wanted
      ? ip
      : refuse(item, `an IPv${wanted} address, as type ${type} gives`);
  });
  refuseRepeated(fields.field('expect'), expect, 'an address not listed before');
  return { query: readQuery(fields.field('query')), type, servers, expect };
}

/** What is written in two ways is the same once it was read. */
function refuseRepeated({ at }: Field, items: readonly string[], expected: string): void {
  const repeated = items.findIndex((item, index) => items.indexOf(item) !== index);
  if (repeated !== -1) refuse({ at: `${at}[${repeated}]`, value: items[repeated] }, expected);
}

/** Every name is asked for as it is: the search list of resolv.conf is not used. */
function readQuery(field: Field): string {
  const name = typeof field.value === 'string' ? domainNameOf(field.value) : undefined;
  if (name === undefined) return refuse(field, 'a name such as intranet.example');
  return name.replace(/\.$/, '');
}

/**
 * Reads the address of a DNS server, with a port where that is not 53.
 * @throws ConfigError where it is none
 */
export function readServer(field: Field): string {
  const form = 'an IP address, or IP:PORT, or [IPv6]:PORT';
  if (isMissing(field) || typeof field.value !== 'string') return refuse(field, form);
  const parts = splitHostAndPort(field.value);
  if (parts === undefined || isIP(parts.host) === 0) return refuse(field, form);
  const ip = readIp(field, parts.host);
  if (parts.port === undefined || parts.port === 53) return ip;
  return isIP(ip) === 6 ? `[${ip}]:${parts.port}` : `${ip}:${parts.port}`;
}
