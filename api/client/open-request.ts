import { request, type ClientRequest } from 'node:http';
import { connect } from 'node:net';
import type { AgentAddress } from './address.js';

/** Where an agent is, and what proves to each side who the other one is. */
export interface AgentAccess {
  readonly address: AgentAddress;
  /** Sent as a bearer token over TCP and TLS. The unix socket has file permissions instead. */
  readonly token?: string;
  /** Certificates (PEM) that are trusted over https instead of the usual ones. */
  readonly ca?: string;
}

export interface RequestTarget {
  readonly method: string;
  readonly path: string;
  readonly accept: string;
}

/** Makes a request on a connection of its own. The caller sends and ends it. */
export async function openRequest(
  { address, token, ca }: AgentAccess,
  { method, path, accept }: RequestTarget,
): Promise<ClientRequest> {
  // Without createConnection Node makes an agent of its own, which tests by a large regular expression
  // whether `localhost` is an IP address. That takes 3 ms.
  if (address.kind === 'unix') {
    const headers = { host: 'localhost', accept };
    return request({ method, path, headers, createConnection: () => connect(address.path) });
  }
  const { host, port } = address;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  if (address.kind === 'tcp') {
    // The agent refuses names that it does not know, and this client has already found it.
    const headers = { host: 'localhost', accept, ...authorization };
    return request({ method, path, headers, createConnection: () => connect({ host, port }) });
  }
  // TLS takes time to load, and most calls do not need it. A proxy may serve several names, so
  // that the Host header and the name in the TLS handshake are those of the address.
  const { request: requestTls } = await import('node:https');
  const headers = { accept, ...authorization };
  const target = { method, path, host, port };
  return requestTls({ ...target, headers, agent: false, ...(ca !== undefined && { ca }) });
}
