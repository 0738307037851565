/** The address of an agent's API. */
export type AgentAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

/**
 * Reads `unix:///path`, an absolute path or `tcp://host:port` (IPv6 in brackets).
 * @throws RangeError that says what was expected and what was got
 */
export function parseAgentAddress(text: string): AgentAddress {
  const path = text.startsWith('unix://') ? text.slice('unix://'.length) : text;
  if (path.startsWith('/') && !path.includes('\0')) return { kind: 'unix', path };
  const match = /^tcp:\/\/(?:\[([0-9a-fA-F:.]+)\]|([^:/?#[\]\s]+)):(\d{1,5})\/?$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3] ?? NaN);
  if (host === undefined || !(port >= 1 && port <= 65535)) {
    throw new RangeError(
      `expected unix:///path, an absolute path or tcp://host:port, got ${JSON.stringify(text.slice(0, 100))}`,
    );
  }
  return { kind: 'tcp', host, port };
}

/** The address as the user would write it. */
export function formatAgentAddress(address: AgentAddress): string {
  if (address.kind === 'unix') return `unix://${address.path}`;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return `tcp://${host}:${address.port}`;
}
