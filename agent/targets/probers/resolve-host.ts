import { Resolver } from 'node:dns';
import { isIP } from 'node:net';
import type { Fault } from '../../model/sample.js';
import { codeOf, messageOf } from '../../platform/errors.js';
import { lacksFamilyOf } from '../../probing/host-families.js';
import { serverAddressOf } from '../../model/host-and-port.js';
import { faultOfQuery, notImplemented } from './dns-fault.js';
import { addressesInHosts } from './hosts-file.js';
import type { OpenProbe } from './open-probes.js';
import { defaultResolvConf, readResolvConf, type ResolvConf } from './resolv-conf.js';

export interface ResolverFiles {
  readonly resolvConf?: string | undefined;
  readonly hosts?: string | undefined;
}

/** Where a host is, or why that could not be found out. */
export type Resolved = { readonly ip: string } | { readonly fault: Fault };

/**
 * Resolves a host for one probe: from hosts(5), then by the nameservers and the search list of
 * resolv.conf, IPv4 first. It uses Node's own resolver; `dns.lookup` has four threads for the whole
 * process, and names that do not resolve would block them. Nothing is kept: a client of the target has to
 * resolve the name, too.
 */
export async function resolveHost(
  host: string,
  probe: OpenProbe,
  { resolvConf = defaultResolvConf, hosts = '/etc/hosts' }: ResolverFiles = {},
): Promise<Resolved> {
  if (isIP(host) !== 0) return { ip: host };
  const name = host.replace(/\.$/, '');
  const local = name === 'localhost' || name.endsWith('.localhost') ? ['127.0.0.1', '::1'] : [];
  const known = usable([...addressesInHosts(hosts, name), ...local]);
  if (known !== undefined) return { ip: known };
  const conf = read(resolvConf);
  if ('fault' in conf) return conf;
  const ask = asker(conf.nameservers, probe);
  let fault: Fault | undefined;
  for (const candidate of candidatesOf(host, conf)) {
    const found = await resolve(ask, candidate);
    if ('ip' in found) return found;
    const isMissing = isNameMissing(found.fault);
    // One domain of the search list may have a server that is dead.
    const mayGoOn = candidate !== name && isUnable(found.fault);
    if (!isMissing && !mayGoOn) return explained(found);
    // That a server could not find out counts most; then the reason of the name as it is, before those of the search list.
    const isKept = fault !== undefined && (isUnable(fault) || (isMissing && candidate !== name));
    if (!isKept) fault = found.fault;
  }
  return explained({ fault: fault ?? missingName });
}

const missingName: Fault = { outcome: 'failure', kind: 'nxdomain', detail: 'no such name' };

/** A half of the time is left for the servers after the first, and a rest for the probe itself. */
function tryMs(probe: OpenProbe, servers: number): number {
  return Math.max(50, Math.floor(probe.remainingMs() / (servers + 1)));
}

function read(path: string): ResolvConf | { readonly fault: Fault } {
  try {
    const conf = readResolvConf(path);
    return conf.nameservers.length > 0 ? conf : unsent(`${path} has no nameserver`);
  } catch (error) {
    return unsent(`${path}: ${messageOf(error)}`);
  }
}

function unsent(detail: string): { readonly fault: Fault } {
  return { fault: { outcome: 'not-sent', reason: 'other', detail } };
}

/** The names to ask for, as resolv.conf(5) has it. */
export function candidatesOf(
  host: string,
  { search, ndots }: Pick<ResolvConf, 'search' | 'ndots'>,
): string[] {
  const name = host.replace(/\.$/, '');
  if (host.endsWith('.')) return [name];
  const searched = search.map((domain) => `${name}.${domain}`);
  const isQualified = name.split('.').length - 1 >= ndots;
  return isQualified ? [name, ...searched] : [...searched, name];
}

async function resolve(ask: Ask, name: string): Promise<Resolved> {
  const found: string[] = [];
  let fault: Fault = missingName;
  for (const family of [4, 6] as const) {
    const asked = await ask(name, family);
    if ('addresses' in asked) {
      const ip = usable(asked.addresses);
      if (ip !== undefined) return { ip };
      found.push(...asked.addresses);
    } else {
      fault = asked.fault;
      const hasOtherType = fault.outcome === 'failure' && fault.kind === 'wrong-answer';
      if (!hasOtherType) return { fault };
    }
  }
  const [first] = found;
  return first === undefined ? { fault } : { ip: first };
}

type Asked = { readonly addresses: readonly string[] } | { readonly fault: Fault };
type Ask = (name: string, family: 4 | 6) => Promise<Asked>;

/**
 * Asks one nameserver after the other, as resolvers do: the next one where one is silent, cannot be reached, refuses or
 * cannot find out. Where none answers the first reason is kept, unless it is this host's own.
 */
function asker(nameservers: readonly string[], probe: OpenProbe): Ask {
  const timeout = tryMs(probe, nameservers.length);
  const order = nameservers.map((server) => {
    const resolver = new Resolver({ timeout, tries: 1 });
    resolver.setServers([server]);
    probe.onEnd(() => resolver.cancel());
    return { server, resolver };
  });
  return async (name, family) => {
    let reason: Fault | undefined;
    for (const one of [...order]) {
      const asked = await askOne(one.resolver, name, family, one.server);
      if ('addresses' in asked || !isNextAsked(asked.fault)) return asked;
      if (reason === undefined || reason.outcome === 'not-sent') reason = asked.fault;
      // The next question goes to the others first.
      order.push(...order.splice(order.indexOf(one), 1));
      if (!probe.isOpen()) break;
    }
    return { fault: reason ?? missingName };
  };
}

function askOne(resolver: Resolver, name: string, family: 4 | 6, server: string): Promise<Asked> {
  return new Promise((done) => {
    const take = (error: NodeJS.ErrnoException | null, addresses: readonly string[]): void => {
      if (!error) done({ addresses });
      else
        void faultOfQuery(codeOf(error), serverAddressOf(server)).then((fault) => done({ fault }));
    };
    if (family === 4) resolver.resolve4(name, take);
    else resolver.resolve6(name, take);
  });
}

/** The first address of a family that this host has. */
function usable(addresses: readonly string[]): string | undefined {
  return addresses.find((ip) => !lacksFamilyOf(ip));
}

function isNameMissing(fault: Fault): boolean {
  return (
    fault.outcome === 'failure' && (fault.kind === 'nxdomain' || fault.kind === 'wrong-answer')
  );
}

/** Whether a server could not or would not find out: glibc goes on then, with the next server and the next domain. */
function isUnable(fault: Fault): boolean {
  return fault.outcome === 'failure' && (fault.kind === 'servfail' || fault.kind === 'dns-refused');
}

function isNextAsked(fault: Fault): boolean {
  const isOfQuery = fault.outcome === 'failure' && fault.kind === 'protocol';
  return !isNameMissing(fault) && (!isOfQuery || fault.detail === notImplemented);
}

/** Says that it was the name, and not the target. */
function explained(resolved: Resolved): Resolved {
  if ('ip' in resolved) return resolved;
  const { fault } = resolved;
  return { fault: { ...fault, detail: `its name does not resolve: ${fault.detail}` } };
}
