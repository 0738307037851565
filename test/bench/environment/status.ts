import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { PathStatus, ProtocolStatus, Status } from '../../../api/schema/status.js';
import type { Protocol } from '../../../agent/model/sample.js';

export interface Answer {
  readonly status: number;
  readonly etag: string | undefined;
  readonly body: Buffer;
  /** When the whole answer had arrived, in epoch milliseconds. */
  readonly at: number;
}

/** One path of a status body. */
export interface PathView {
  readonly node: string;
  readonly ip: string;
  readonly protocols: Readonly<Partial<Record<Protocol, ProtocolStatus>>>;
  /** The state by a protocol; unknown if the body has none. */
  readonly state: (protocol: Protocol) => 'unknown' | 'reachable' | 'unreachable';
}

/** The cadence as the agent reports it. A field is undefined if the agent does not report it. */
export interface PlanView {
  readonly intervalMs: number | undefined;
  readonly timeToDetectMs: number | undefined;
}

/**
 * Sends one request over the agent's socket.
 * @throws Error if there is no answer within `timeoutMs`
 */
export function ask(
  socketPath: string,
  path: string,
  { method = 'GET', timeoutMs = 60_000 } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const call = request({ socketPath, path, method, agent: false, signal }, (response) => {
      buffer(response).then((body) => {
        const { etag } = response.headers;
        resolve({ status: response.statusCode ?? 0, etag, body, at: Date.now() });
      }, reject);
    });
    call.once('error', reject);
    call.end();
  });
}

/** Asks for the whole current status. */
export function askStatus(socketPath: string): Promise<Answer> {
  return ask(socketPath, '/v1beta/status');
}

/** Every path of a status body. The bench's nodes have two each. */
export function pathsOf(body: Buffer): PathView[] {
  const { nodes } = JSON.parse(body.toString()) as Status;
  return nodes.flatMap(({ name, host, 'health-endpoint': endpoint }) =>
    [host?.['primary-address'], endpoint?.['primary-address']].flatMap((path) =>
      path ? [view(name.slice(name.indexOf('/') + 1), path)] : [],
    ),
  );
}

/** The plan of one protocol. It also reads bodies without a plan. */
export function planOf(body: Buffer, protocol: Protocol): PlanView {
  const { plan } = JSON.parse(body.toString()) as {
    plan?: Partial<Record<Protocol, Partial<Record<string, unknown>>>>;
  };
  const number = (key: string): number | undefined => {
    const value = plan?.[protocol]?.[key];
    return typeof value === 'number' ? value : undefined;
  };
  return { intervalMs: number('intervalMs'), timeToDetectMs: number('timeToDetectMs') };
}

function view(node: string, { ip, icmp, http }: PathStatus): PathView {
  const protocols = { ...(icmp && { icmp }), ...(http && { http }) };
  return {
    node,
    ip,
    protocols,
    state: (protocol) => protocols[protocol]?.state ?? 'unknown',
  };
}
