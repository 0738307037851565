import type { NodeStatus, PathStatus, ProtocolStatus } from '../../api/schema/status.js';
import { protocols, type Protocol } from '../probing/sample.js';
import type { Judgement } from './judge.js';
import type { NodeView, PathView, Snapshot } from './snapshot.js';

/** What stands in the body beside the snapshot, the same for as long as the agent runs. */
export interface StatusContext {
  readonly localName: string;
  readonly probeInterval: string;
  readonly thresholds: Readonly<Record<Protocol, number>>;
  /** Why a protocol is not probed at all. */
  readonly unavailable: Readonly<Partial<Record<Protocol, string>>>;
}

/**
 * Returns a function that writes a snapshot as the JSON body of `GET /v1beta/status`. The text of
 * a node that did not change is kept, so a body costs what changed since the last one.
 */
export function createStatusWriter(context: StatusContext): (snapshot: Snapshot) => string {
  const texts = new WeakMap<NodeView, string>();
  return (snapshot) => {
    const nodes = snapshot.nodes.map((node) => {
      const text = texts.get(node) ?? JSON.stringify(nodeStatus(node, context));
      texts.set(node, text);
      return text;
    });
    const head = JSON.stringify({
      local: { name: context.localName },
      timestamp: new Date(snapshot.at).toISOString(),
      probeInterval: context.probeInterval,
      generation: snapshot.generation,
    });
    return `${head.slice(0, -1)},"nodes":[${nodes.join(',')}]}`;
  };
}

function nodeStatus({ name, host, endpoint }: NodeView, context: StatusContext): NodeStatus {
  const path = (view: PathView) => pathStatus(view, context);
  const [primary, ...secondary] = host.map(path);
  const [endpointPrimary, ...endpointSecondary] = endpoint.map(path);
  return {
    name,
    ...(primary && {
      host: { 'primary-address': primary, 'secondary-addresses': secondary },
    }),
    ...(endpointPrimary && {
      'health-endpoint': {
        'primary-address': endpointPrimary,
        'secondary-addresses': endpointSecondary,
      },
      endpoint: endpointPrimary,
    }),
  };
}

function pathStatus(view: PathView, { thresholds, unavailable }: StatusContext): PathStatus {
  const status: PathStatus = { ip: view.ip };
  const unknown: Partial<Record<Protocol, string>> = {};
  for (const protocol of protocols) {
    const judgement = view[protocol];
    // A Cilium client takes a protocol object without failure text for success.
    if (judgement.state !== 'unknown') status[protocol] = protocolStatus(judgement);
    else unknown[protocol] = unavailable[protocol] ?? whyUnknown(judgement, thresholds[protocol]);
  }
  return Object.keys(unknown).length > 0 ? { ...status, unknown } : status;
}

function protocolStatus(judgement: Judgement): ProtocolStatus {
  const { state, sinceAt, failures, failure, rttNs, lastProbedAt } = judgement;
  return {
    ...(rttNs !== undefined && { latency: rttNs }),
    ...(state === 'unreachable' && { status: failure ?? 'failed' }),
    lastProbed: new Date(lastProbedAt ?? sinceAt).toISOString(),
    state,
    since: new Date(sinceAt).toISOString(),
    failures,
  };
}

function whyUnknown({ failures, failure, notSent }: Judgement, threshold: number): string {
  if (notSent !== undefined) return `could not be sent: ${notSent}`;
  if (failures > 0) return `${failures} of ${threshold} failures: ${failure ?? ''}`;
  return 'not probed yet';
}
