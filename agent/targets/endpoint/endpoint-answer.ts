import type { Clock } from '../../platform/clock.js';
import { isSameNode } from '../../model/node-name.js';
import type { Signer } from '../../model/signed-fields.js';
import type { TargetMonitor } from '../target-monitor.js';
import {
  decodeEndpointRequest,
  encodeEndpointAnswer,
  type EndpointRequest,
} from './endpoint-message.js';
import type { EndpointHost } from '../../model/endpoint-host.js';
import { withEndpointHost } from './endpoint-host.js';
import { encodeEndpointResults } from './encode-endpoint-results.js';

export interface EndpointAnswerOptions {
  /** The name of the endpoint's node; undefined where it was not told. */
  readonly nodeName: string | undefined;
  readonly clock: Clock;
  readonly keys: Signer;
  readonly monitor: TargetMonitor;
  /** What is known of the network here; it is asked once the agent wants it. Left out, nothing. */
  readonly host?: () => EndpointHost;
  /** Whether the agent of this node may send from there. With a mesh key it is not asked. */
  readonly isOwnAgent: (ip: string) => boolean;
}

/** Requests that were sent longer ago are not answered with a key, nor those that are as far in the future. */
const sentWithinMs = 30_000;

/** So many nonces are remembered, to answer no request twice: more than an agent sends in that time. */
const keptNonces = 1024;

/**
 * Returns what answers the agent of this node with the results of this endpoint. Anyone else gets
 * undefined, and so the plain answer.
 */
export function createEndpointAnswer(options: EndpointAnswerOptions) {
  const { nodeName, clock, keys, monitor, host, isOwnAgent } = options;
  const seen = new Set<string>();
  const startedMs = clock.nowMs();

  /** Whether a request was not recorded and sent again. Without a key its source address is all that tells. */
  const wasNotSent = ({ nonce, sentAt }: EndpointRequest): boolean => {
    if (seen.has(nonce)) return false;
    if (!keys.isKeyed) return true;
    if (sentAt === undefined) return false;
    const ageMs = clock.wallMs() - sentAt;
    // What an earlier process has answered is unknown.
    const longestMs = Math.min(sentWithinMs, clock.nowMs() - startedMs);
    return ageMs >= -sentWithinMs && ageMs <= longestMs;
  };

  return (header: string, sourceIp: string) => {
    // Without a key the source is all that tells the agent from a stranger.
    if (!keys.isKeyed && !isOwnAgent(sourceIp)) return undefined;
    const request = decodeEndpointRequest(header, keys);
    if (!request || !wasNotSent(request)) return undefined;
    if (nodeName !== undefined && !isSameNode(nodeName, request.node)) return undefined;
    seen.add(request.nonce);
    const [oldest] = seen;
    if (seen.size > keptNonces && oldest !== undefined) seen.delete(oldest);
    monitor.setNodes(request.nodes, request.node);
    for (const name of request.toProbe) monitor.get(name)?.probeSoon();
    const results = encodeEndpointResults(monitor.watched(), clock);
    const body = request.signs && host ? withEndpointHost(results, host()) : results;
    return { header: encodeEndpointAnswer(nodeName, body, request, keys), body };
  };
}
