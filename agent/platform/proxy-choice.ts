import { BlockList, isIP } from 'node:net';
import { formatValue } from './format-value.js';

const protocols = new Set(['http:', 'https:', 'socks5:', 'socks5h:']);

/**
 * The proxy on the way to a server, as kubectl chooses it: the cluster's own `proxy-url`, else
 * `HTTPS_PROXY` (or `HTTP_PROXY` for an http server) unless `NO_PROXY` names the server.
 * @param proxyUrl that of a kubeconfig; empty: none
 * @returns undefined where the server is asked directly
 * @throws Error where the proxy is no URL that can be used
 */
export function chooseProxy(
  server: URL,
  proxyUrl: string,
  environment: NodeJS.ProcessEnv,
): URL | undefined {
  if (proxyUrl !== '') return readProxy(proxyUrl, 'proxy-url');
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const variable = [name, name.toLowerCase()].find((one) => environment[one]);
  const text = variable === undefined ? undefined : environment[variable];
  if (variable === undefined || !text) return undefined;
  if (isExcepted(server, environment['NO_PROXY'] || environment['no_proxy'] || '')) {
    return undefined;
  }
  return readProxy(text.includes('://') ? text : `http://${text}`, variable);
}

function readProxy(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && protocols.has(url.protocol) && url.hostname !== '') return url;
  // It may hold a password: only what stands before it is shown.
  const shown = url ? url.protocol : text.replace(/\/\/.*@/, '//...@');
  throw new Error(
    `${name}: expected the URL of an HTTP or SOCKS5 proxy, got ${formatValue(shown)}`,
  );
}

/**
 * Whether a `NO_PROXY` list names a server. Servers on this host are never asked through a proxy.
 */
function isExcepted(server: URL, noProxy: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = server.port || (server.protocol === 'https:' ? '443' : '80');
  if (host === 'localhost' || isWithin(host, ['127.0.0.0/8', '::1'])) return true;
  const entries = noProxy.split(',').map((entry) => entry.trim().toLowerCase());
  return entries.some((entry) => {
    if (entry === '') return false;
    if (entry === '*' || isWithin(host, [entry])) return true;
    const [, name = '', entryPort = port] = /^(?:\[?)(.*?)(?:\]?)(?::(\d+))?$/.exec(entry) ?? [];
    if (entryPort !== port) return false;
    if (isWithin(host, [name])) return true;
    if (isIP(host) > 0) return false;
    const domain = name.replace(/^\*(?=\.)/, '');
    return domain.startsWith('.')
      ? host.endsWith(domain)
      : host === domain || host.endsWith(`.${domain}`);
  });
}

/** Whether a host is an IP address that one of the addresses or CIDR ranges holds. */
function isWithin(host: string, ranges: readonly string[]): boolean {
  const family = isIP(host);
  if (family === 0) return false;
  return ranges.some((range) => {
    const [base = '', prefix, ...rest] = range.split('/');
    const bits = family === 4 ? 32 : 128;
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : NaN;
    if (rest.length > 0 || isIP(base) !== family || !(length <= bits)) return false;
    const list = new BlockList();
    const type = family === 4 ? 'ipv4' : 'ipv6';
    list.addSubnet(base, length, type);
    return list.check(host, type);
  });
}
