import type {
  NodeStatus,
  PathStatus,
  PlaneStatus,
  ProtocolStatus,
} from '../../api/schema/status.js';
import { formatDurationNs } from '../../api/duration.js';
import { protocols, type Protocol } from '../model/sample.js';
import type { Steps } from '../platform/time-slices.js';
import type { PathState, Thresholds } from '../model/path-state.js';
import type { Loss } from '../results/loss-log.js';
import type { NodeView, PathView, ProtocolView, Snapshot } from '../results/snapshot.js';

/** The content of the body beside the snapshot. */
export interface StatusContext {
  readonly localName: string;
  readonly thresholds: Readonly<Record<Protocol, Thresholds>>;
  /** Why a protocol is not probed at all. */
  readonly unavailable: Readonly<Partial<Record<Protocol, string>>>;
  /** How many findings are open in the whole cluster. */
  readonly openFindings?: () => number;
  /** Writes only what `meshprobe status` prints of each path: a third of the bytes. */
  readonly isBrief?: boolean;
}

/**
 * Returns a function that writes a snapshot as the JSON body of `GET /v1beta/status`. The text of
 * a node that did not change is kept, so a body costs what changed since the last one.
 */
export function createStatusWriter(
  context: StatusContext,
): (snapshot: Snapshot) => Steps<Buffer<ArrayBuffer>> {
  // Not a WeakMap: thousands of weak entries make every garbage collection longer.
  let texts: ReadonlyMap<NodeView, string> = new Map();
  return function* (snapshot) {
    const { plan } = snapshot;
    // Cilium has one interval, in which every path is probed by both protocols.
    const longestMs = Math.max(plan.icmp?.intervalMs ?? 0, plan.http?.intervalMs ?? 0);
    const head = JSON.stringify({
      local: { name: context.localName },
      timestamp: new Date(snapshot.at).toISOString(),
      probeInterval: formatDurationNs(longestMs * 1e6),
      generation: snapshot.generation,
      plan,
      ...(context.openFindings && { findings: context.openFindings() }),
    });
    const parts = [`${head.slice(0, -1)},"nodes":[`];
    const kept = new Map<NodeView, string>();
    for (const node of snapshot.nodes) {
      const text = texts.get(node) ?? JSON.stringify(nodeStatus(node, context));
      kept.set(node, text);
      if (parts.length > 1) parts.push(',');
      parts.push(text);
      yield;
    }
    texts = kept;
    parts.push(']}');
    return yield* join(parts);
  };
}

/** Joins the texts into one buffer; a string of that size would be a second copy. */
function* join(texts: readonly string[]): Steps<Buffer<ArrayBuffer>> {
  let bytes = 0;
  for (const text of texts) {
    bytes += Buffer.byteLength(text);
    yield;
  }
  const body = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for (const text of texts) {
    at += body.write(text, at);
    yield;
  }
  return body;
}

function nodeStatus(view: NodeView, context: StatusContext): NodeStatus {
  const { name, lifecycle, host, endpoint } = view;
  const [primary, ...secondary] = host.map((view) => pathStatus(view, context));
  const [endpointPrimary, ...endpointSecondary] = endpoint.map((view) => pathStatus(view, context));
  return {
    name,
    ...(lifecycle && lifecycle.phase !== 'active' && { lifecycle: { ...lifecycle } }),
    ...(primary && { host: planeStatus(primary, secondary, context) }),
    ...(endpointPrimary && {
      'health-endpoint': planeStatus(endpointPrimary, endpointSecondary, context),
      ...(!context.isBrief && { endpoint: deprecatedTwin(endpointPrimary) }),
    }),
  };
}

function planeStatus(
  primary: PathStatus,
  secondary: PathStatus[],
  { isBrief }: StatusContext,
): PlaneStatus {
  if (isBrief && secondary.length === 0) return { 'primary-address': primary };
  return { 'primary-address': primary, 'secondary-addresses': secondary };
}

/** Old clients of Cilium read only this much of it. */
function deprecatedTwin({ ip, icmp, http }: PathStatus): PathStatus {
  const bare = ({ latency, status, lastProbed }: ProtocolStatus): ProtocolStatus => ({
    ...(latency !== undefined && { latency }),
    ...(status !== undefined && { status }),
    lastProbed,
  });
  return { ip, ...(icmp && { icmp: bare(icmp) }), ...(http && { http: bare(http) }) };
}

function pathStatus(view: PathView, context: StatusContext): PathStatus {
  const { thresholds, unavailable, isBrief } = context;
  const toStatus = isBrief ? briefProtocolStatus : protocolStatus;
  const status: PathStatus = { ip: view.ip };
  const unknown: Partial<Record<Protocol, string>> = {};
  for (const protocol of protocols) {
    // A Cilium client takes a protocol object without failure text for success.
    if (view[protocol].state.state !== 'unknown') status[protocol] = toStatus(view[protocol]);
    else {
      const reason = whyUnknown(view[protocol].state, thresholds[protocol].failures);
      unknown[protocol] = unavailable[protocol] ?? reason;
    }
  }
  return Object.keys(unknown).length > 0 ? { ...status, unknown } : status;
}

/** A path by one protocol as the API shows it. Absent fields are zero, false or unknown. */
export function protocolStatus({ state: judgement, summary }: ProtocolView): ProtocolStatus {
  const { state, sinceAt, failures, rttNs, lastProbedAt, http } = judgement;
  const { loss, rtts } = summary;
  // Field by field and not by spreads: thousands of these are made for one body.
  const status: ProtocolStatus = {};
  if (rttNs !== undefined) status.latency = rttNs;
  if (state === 'unreachable') {
    status.status = judgement.failure ?? 'failed';
    if (judgement.failureKind) status.failureKind = judgement.failureKind;
  }
  status.lastProbed = new Date(lastProbedAt ?? sinceAt).toISOString();
  status.state = state;
  status.since = new Date(sinceAt).toISOString();
  status.failures = failures;
  addTroubles(status, state, summary);
  if (judgement.tainted) status.tainted = true;
  addLoss(status, loss);
  if (rtts) Object.assign(status, rtts);
  if (http) {
    status.connect = http.connectNs;
    status.firstByte = http.firstByteNs;
    if (http.tcpRttNs !== undefined) status.tcpRtt = http.tcpRttNs;
    if (http.synRetransmissions) status.synRetransmissions = http.synRetransmissions;
  }
  return status;
}

function briefProtocolStatus({ state: path, summary }: ProtocolView): ProtocolStatus {
  const status: ProtocolStatus = {};
  if (path.rttNs !== undefined) status.latency = path.rttNs;
  if (path.state === 'unreachable') status.status = path.failure ?? 'failed';
  if (path.tainted) status.tainted = true;
  addTroubles(status, path.state, summary);
  if (status.lossy) addLoss(status, summary.loss);
  return status;
}

/** Only a reachable path is lossy or slow. */
function addTroubles(
  status: ProtocolStatus,
  state: PathState['state'],
  { isLossy, isSlow }: ProtocolView['summary'],
): void {
  if (state !== 'reachable') return;
  if (isLossy) status.lossy = true;
  if (isSlow) status.slow = true;
  if (isLossy || isSlow) status.degraded = true;
}

function addLoss(status: ProtocolStatus, { loss1m, loss10m, loss1h }: Loss): void {
  if (loss1m) status.loss1m = share(loss1m);
  if (loss10m) status.loss10m = share(loss10m);
  if (loss1h) status.loss1h = share(loss1h);
}

/** A few hundred probes give no more than four digits. */
function share(loss: number): number {
  return Math.round(loss * 1e4) / 1e4;
}

function whyUnknown(state: PathState, threshold: number): string {
  const { failures, failure, notSent, answeredSentMs } = state;
  if (notSent !== undefined) return `could not be sent: ${notSent}`;
  if (failures > 0) return `${failures} of ${threshold} failures: ${failure ?? ''}`;
  return answeredSentMs > -Infinity ? 'not answered for long' : 'not probed yet';
}
