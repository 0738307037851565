import { maxSocketPathBytes } from '../socket-path-length.js';

/** The address of an agent's API. */
export type AgentAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp' | 'https'; readonly host: string; readonly port: number };

const expected = 'expected unix:///path, an absolute path, tcp://host:port or https://host[:port]';
const httpsPort = 443;

/**
 * Reads `unix:///path`, an absolute path, `tcp://host:port` or `https://host[:port]` (IPv6 in
 * brackets).
 * @throws RangeError that says what was expected and what was got
 */
export function parseAgentAddress(text: string): AgentAddress {
  const path = text.startsWith('unix://') ? text.slice('unix://'.length) : text;
  if (path.startsWith('/') && !path.includes('\0')) {
    const bytes = new TextEncoder().encode(path).length;
    // Node would cut the path, and look for a socket of another name.
    if (bytes > maxSocketPathBytes) {
      throw new RangeError(
        `expected the path of a unix socket, at most ${maxSocketPathBytes} bytes, got ${bytes} in ${JSON.stringify(path.slice(0, 100))}`,
      );
    }
    return { kind: 'unix', path };
  }
  const match =
    /^(tcp|https):\/\/(?:\[([0-9a-fA-F:.]+)\]|([^:/?#@[\]\s]+))(?::(\d{1,5}))?\/?$/.exec(text);
  const kind = match?.[1] === 'https' ? 'https' : 'tcp';
  const host = match?.[2] ?? match?.[3];
  const port = Number(match?.[4] ?? (kind === 'https' ? httpsPort : NaN));
  if (host === undefined || !(port >= 1 && port <= 65535)) {
    throw new RangeError(`${expected}, got ${JSON.stringify(text.slice(0, 100))}`);
  }
  return { kind, host, port };
}

/** The address as the user would write it. */
export function formatAgentAddress(address: AgentAddress): string {
  if (address.kind === 'unix') return `unix://${address.path}`;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  const isUsual = address.kind === 'https' && address.port === httpsPort;
  return `${address.kind}://${host}${isUsual ? '' : `:${address.port}`}`;
}
